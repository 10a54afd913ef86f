#include "daemon/enrich/device_class.h"

#include <initializer_list>

#include "common/text/text.h"

namespace analytics {
namespace {

using Marks = std::initializer_list<std::string_view>;

constexpr int kTabletFrom = 576;  // least screen width of a tablet in CSS pixels
constexpr int kDesktopFrom = 1'025;

const Marks kConsoleMarks = {"PlayStation", "PLAYSTATION", "Playstation", "Xbox",
                             "XBOX",        "Nintendo",    "NINTENDO",    "Steam Deck",
                             "Valve Steam", "Ouya",        "OUYA"};

const Marks kTvMarks = {
    "SmartTV",  "SMART-TV",     "Smart-TV",     "Smart TV",     "smart-tv",      "SmartHub",
    "Web0S",    "WebOS TV",     "webOS.TV",     "NetCast",      "HbbTV",         "AppleTV",
    "Apple TV", "tvOS",         "GoogleTV",     "Google TV",    "Android TV",    "AndroidTV",
    "BRAVIA",   "Bravia",       "CrKey",        "Chromecast",   "Roku",          "VIERA",
    "Viera",    "Opera TV",     "TV Store",     "MiTV",         "MIBOX",         "MiBOX",
    "DuneHD",   "PhilipsTV",    "Philips TV",   "VIDAA",        "InettvBrowser", "LG Browser",
    "Maple 5",  "Maple 6",      "SHIELD Build", "Kylo",         "WebTV",         "Sling Media",
    "Espial",   "POV_TV",       "Freebox",      "Large Screen", "BeyondTV",      "TCL TV",
    "Skyworth", "nexus player", "Nexus Player", "TV Bro"};

/// Marks of TVs that also occur in the names of phones, and do not count beside "Mobile".
const Marks kWeakTvMarks = {"Vestel",
                            "DTV",
                            "Mi Box",
                            "TV/Philips",
                            "SmartCast",
                            "-ATV",
                            "onn. 4K",
                            "Streaming Box",
                            "XRE",
                            "CE-HTML",
                            "webOS TV",
                            "Xumo",
                            "Android 9; BRAVIA",
                            "Tvheadend"};

const Marks kTabletMarks = {
    "iPad", "Tablet", "tablet", "TABLET", "PlayBook", "Kindle", "; KF", "Nexus 7", "Nexus 9",
    "Nexus 10", "SM-T", "SM-X1", "SM-X2", "SM-X3", "SM-X5", "SM-X6", "SM-X7", "SM-X8", "SM-X9",
    "SM-P", "GT-P", "GT-N80", "GT-N51", "Lenovo TB", "Lenovo YT", "Pixel C", "Xoom", "XOOM",
    "MediaPad", "MI PAD", "Mi Pad", "Redmi Pad", "OPPO Pad", "vivo Pad", "HONOR Pad", "OnePlus Pad",
    "Transformer", "TouchPad", "hp-tablet", "SCH-I800", "SHW-M180", "Galaxy Tab",
    // model codes of tablets by Huawei, Honor and Lenovo
    "; AGS", "; AGR-", "; AGRK-", "; BAH", "; BTV-", "; BZT", "; CMR-", "; DBY", "; GDI-W",
    "; HDN-W", "; HEY-W", "; HEY2-W", "; JDN", "; KOB", "; KJR-W", "; MON-W", "; MRR-W", "; MRX-",
    "; ROD", "; SCM-", "; SCMR-", "; SHT-", "; VRD-", "; WGR-", "; BRT-W", "; AEOCH", "; TB-",
    "; TB1", "; TB2", "; TB3", "; YT-"};

const Marks kMobileMarks = {
    "iPhone",     "iPod",     "Mobile",       "mobile",     "Windows Phone", "BlackBerry",
    "BB10",       "IEMobile", "Opera Mini",   "Opera Mobi", "webOS",         "hpwOS",
    "Symbian",    "SymbOS",   "Series60",     "Series40",   "J2ME",          "MIDP",
    "KAIOS",      "KaiOS",    "Nokia",        "Fennec",     "Maemo",         "MeeGo",
    "UP.Browser", "UP.Link",  "Windows CE",   "Palm",       "DoCoMo",        "KDDI",
    "SoftBank",   "Bada",     "bada",         "Sailfish",   "watchOS",       "iOS",
    "UCWEB",      "BREW",     "SonyEricsson", "Obigo",      "NetFront",      "SAMSUNG-SGH",
    "MOT-",       "LG-GU",    "SIE-",         "FOMA",       "NOKIA"};

const Marks kDesktopMarks = {"Windows",   "Win32",  "Win64",       "WinNT",   "Win98",  "Win95",
                             "Macintosh", "Mac OS", "Mac_PowerPC", "macOS",   "X11",    "Linux",
                             "linux",     "CrOS",   "FreeBSD",     "OpenBSD", "NetBSD", "SunOS",
                             "Haiku",     "OS/2",   "Amiga",       "BeOS",    "Ubuntu", "Lynx"};

bool has(std::string_view text, std::string_view mark) {
  return text.find(mark) != std::string_view::npos;
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Returns true if the text contains the word with neither letter nor digit beside it: "Watch", but
/// not "SQWatcher".
bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || !is_letter_or_digit(text[at - 1]);
    if (begins && (end == text.size() || !is_letter_or_digit(text[end]))) return true;
  }
  return false;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

/// Returns true for Amazon's Fire TV: "AFT" and more capitals, as in "AFTB" and "AFTHA001".
bool is_fire_tv(std::string_view text) {
  for (auto at = text.find("AFT"); at != std::string_view::npos; at = text.find("AFT", at + 1)) {
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    if (begins && at + 3 < text.size() && is_upper(text[at + 3])) return true;
  }
  return false;
}

/// Returns true if a model's name contains the word Pad, Tab or Slate: "Xiaomi Pad 6",
/// "ONE_TOUCH_TAB_7HD".
bool names_tablet(std::string_view text) {
  for (const std::string_view word : {"Pad", "PAD", "Tab", "TAB", "Slate"}) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      const auto end = at + word.size();
      const bool begins = at > 0 && !is_letter(text[at - 1]);
      if (begins && (end == text.size() || !is_letter(text[end]))) return true;
    }
  }
  return false;
}

}  // namespace

DeviceGuess device_class(std::string_view user_agent) {
  const bool is_mobile = has(user_agent, "Mobile");
  if (contains_any(user_agent, kConsoleMarks)) return {device::kConsole};
  if (contains_any(user_agent, kTvMarks) ||
      (!is_mobile && contains_any(user_agent, kWeakTvMarks)) || is_fire_tv(user_agent) ||
      (has(user_agent, "Tizen") && has(user_agent, "TV"))) {
    return {device::kTv};
  }
  // "Tablet PC" is a Windows laptop with a pen
  const bool is_tablet_pc = has(user_agent, "Tablet PC");
  if (!is_tablet_pc && (contains_any(user_agent, kTabletMarks) || names_tablet(user_agent))) {
    return {device::kTablet};
  }
  if (has(user_agent, "Silk/") && !is_mobile) return {device::kTablet};
  if (contains_any(user_agent, kMobileMarks) || has_word(user_agent, "Watch") ||
      has_word(user_agent, "Phone")) {
    return {device::kMobile, true, has(user_agent, "Android") && is_mobile};
  }
  if (has(user_agent, "Android")) {
    // Browsers say "Mobile" on phones but not on tablets. Apps never say it.
    const bool is_browser = user_agent.starts_with("Mozilla/") &&
                            (has(user_agent, "Safari/") || has(user_agent, "Gecko/"));
    return is_browser ? DeviceGuess{device::kTablet} : DeviceGuess{device::kMobile, false};
  }
  if (has(user_agent, "Tizen")) return {device::kMobile};
  if (contains_any(user_agent, kDesktopMarks)) return {device::kDesktop};
  return {{}, false};
}

std::string_view device_class(int screen_width) {
  if (screen_width < 1) return {};
  if (screen_width < kTabletFrom) return device::kMobile;
  return screen_width < kDesktopFrom ? device::kTablet : device::kDesktop;
}

}  // namespace analytics
