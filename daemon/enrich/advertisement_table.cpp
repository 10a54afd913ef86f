#include "daemon/enrich/advertisement_table.h"

namespace analytics {
namespace {

// Tags in the form in which they are compared: in lower case, with `-` in place of blanks and `_`.
constexpr AdvertisementTags kTags[] = {
    {"Google",
     "adwords google-adwords googleadwords gads g-ads google-ads googleads google-ad "
     "googlead google-search-ads google-ads-search"},
    {"Bing",
     "bing-ads bingads bing-ad bingad microsoft-ads microsoftads ms-ads msads "
     "microsoft-advertising"},
    {"Yahoo!", "yahoo-ads yahooads"},
    {"Yandex", "yandex-ads yandexads yandex-direct yandexdirect"},
    {"Naver", "naver-ads naverads"},
    {"Facebook",
     "fb-ads fbads fb-ad fbad facebook-ads facebookads facebook-ad facebookad "
     "facebook-feed-ad facebook-feed-ads fb-feed-ad meta-ads metaads meta-ad metaad"},
    {"Instagram",
     "ig-ads igads ig-ad igad instagram-ads instagramads instagram-ad instagramad "
     "insta-ads instaads instagram-feed-ad instagram-story-ad"},
    {"Threads", "threads-ads"},
    {"Twitter", "twitter-ads twitterads twitter-ad twitterad tw-ads x-ads xads"},
    {"LinkedIn", "linkedin-ads linkedinads linkedin-ad linkedinad li-ads"},
    {"Reddit", "reddit-ads redditads reddit-ad redditad"},
    {"Pinterest", "pinterest-ads pinterestads pinterest-ad pin-ads"},
    {"Snapchat", "snapchat-ads snapchatads snap-ads snapads snapchat-ad"},
    {"TikTok", "tiktok-ads tiktokads tiktok-ad tiktokad tt-ads ttads"},
    {"YouTube", "yt-ads ytads yt-ad ytad youtube-ads youtubeads youtube-ad youtubead"},
    {"Quora", "quora-ads quoraads"},
    {"VK", "vk-ads vkads"},
    {"Telegram", "telegram-ads telegramads tg-ads"},
    {"Nextdoor", "nextdoor-ads"},
    {"KakaoTalk", "kakao-ads"},
    {"LINE", "line-ads"},
    {"Twitch", "twitch-ads"},
    {"Spotify", "spotify-ads"},
    {"Amazon", "amazon-ads amazonads"},
};

constexpr AdvertisementHosts kHosts[] = {
    {"Google",
     "googleadservices.com googlesyndication.com doubleclick.net syndicatedsearch.goog "
     "adsensecustomsearchads.com adservice.google.com"},
    {"Yandex", "yabs.yandex.ru yabs.yandex.com yabs.yandex.by an.yandex.ru"},
};

}  // namespace

std::span<const AdvertisementTags> advertisement_tags() { return kTags; }
std::span<const AdvertisementHosts> advertisement_hosts() { return kHosts; }

}  // namespace analytics
