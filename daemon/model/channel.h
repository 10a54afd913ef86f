#pragma once

#include <string_view>

namespace analytics {

/// The kind of source that a visit came from. The numbers are stored: never change one.
enum class Channel {
  kDirect = 1,
  kOrganicSearch = 2,
  kPaidSearch = 3,
  kOrganicSocial = 4,
  kPaidSocial = 5,
  kOrganicShopping = 6,
  kPaidShopping = 7,
  kOrganicVideo = 8,
  kPaidVideo = 9,
  kAiAssistants = 10,
  kEmail = 11,
  kAffiliates = 12,
  kDisplay = 13,
  kAudio = 14,
  kSms = 15,
  kMobilePush = 16,
  kCrossNetwork = 17,
  kPaidOther = 18,
  kReferral = 19,
};

/// Returns the channel's name, which is part of the API.
[[nodiscard]] constexpr std::string_view channel_name(Channel channel) {
  switch (channel) {
    case Channel::kDirect: return "Direct";
    case Channel::kOrganicSearch: return "Organic Search";
    case Channel::kPaidSearch: return "Paid Search";
    case Channel::kOrganicSocial: return "Organic Social";
    case Channel::kPaidSocial: return "Paid Social";
    case Channel::kOrganicShopping: return "Organic Shopping";
    case Channel::kPaidShopping: return "Paid Shopping";
    case Channel::kOrganicVideo: return "Organic Video";
    case Channel::kPaidVideo: return "Paid Video";
    case Channel::kAiAssistants: return "AI Assistants";
    case Channel::kEmail: return "Email";
    case Channel::kAffiliates: return "Affiliates";
    case Channel::kDisplay: return "Display";
    case Channel::kAudio: return "Audio";
    case Channel::kSms: return "SMS";
    case Channel::kMobilePush: return "Mobile Push Notifications";
    case Channel::kCrossNetwork: return "Cross-network";
    case Channel::kPaidOther: return "Paid Other";
    case Channel::kReferral: return "Referral";
  }
  return {};
}

/// Returns the channel with that name; kDirect if no channel has it.
[[nodiscard]] constexpr Channel parse_channel(std::string_view name) {
  for (int i = 1; !channel_name(static_cast<Channel>(i)).empty(); ++i) {
    if (channel_name(static_cast<Channel>(i)) == name) return static_cast<Channel>(i);
  }
  return Channel::kDirect;
}

}  // namespace analytics
