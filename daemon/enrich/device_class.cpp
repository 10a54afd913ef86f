#include "daemon/enrich/device_class.h"

#include <algorithm>
#include <initializer_list>

namespace analytics {
namespace {

using Marks = std::initializer_list<std::string_view>;

constexpr int kTabletFrom = 576;  // CSS pixels
constexpr int kDesktopFrom = 1'025;

const Marks kConsoleMarks = {"PlayStation", "PLAYSTATION", "Playstation", "Xbox", "XBOX",
                             "Nintendo",    "NINTENDO",    "Ouya",        "OUYA"};

const Marks kTvMarks = {
    "SmartTV",      "SMART-TV", "Smart-TV",    "Smart TV",   "smart-tv",     "SmartHub",
    "Web0S",        "WebOS TV", "webOS.TV",    "NetCast",    "HbbTV",        "AppleTV",
    "Apple TV",     "tvOS",     "GoogleTV",    "Google TV",  "Android TV",   "AndroidTV",
    "BRAVIA",       "Bravia",   "CrKey",       "Chromecast", "Roku",         "VIERA",
    "Viera",        "Opera TV", "TV Store",    "MiTV",       "MIBOX",        "MiBOX",
    "Vestel",       "DuneHD",   "PhilipsTV",   "Philips TV", "VIDAA",        "InettvBrowser",
    "LG Browser",   "Maple 5",  "Maple 6",     "Maple2012",  "SHIELD Build", "Kylo",
    "AFTB",         "AFTS",     "AFTM",        "AFTN",       "AFTA",         "AFTT",
    "AFTR",         "AFTK",     "AFTG",        "AFTE",       "AFTWMST",      "DTV",
    "WebTV",        "CE-HTML",  "Sling Media", "Espial",     "POV_TV",       "Freebox",
    "Large Screen", "BeyondTV", "TCL TV",      "Skyworth",   "nexus player", "Nexus Player",
    "TV Bro"};

const Marks kTabletMarks = {
    "iPad",        "Tablet",      "tablet",    "TABLET",    "PlayBook", "Kindle",   "; KF",
    "Nexus 7",     "Nexus 9",     "Nexus 10",  "SM-T",      "SM-X1",    "SM-X2",    "SM-X3",
    "SM-X5",       "SM-X6",       "SM-X7",     "SM-X8",     "SM-X9",    "SM-P",     "GT-P",
    "GT-N80",      "GT-N51",      "Lenovo TB", "Lenovo YT", "Pixel C",  "Xoom",     "XOOM",
    "MediaPad",    "MI PAD",      "Mi Pad",    "Redmi Pad", "OPPO Pad", "vivo Pad", "HONOR Pad",
    "OnePlus Pad", "Transformer", "TouchPad",  "hp-tablet", "SCH-I800", "SHW-M180", "Galaxy Tab"};

const Marks kMobileMarks = {
    "iPhone",   "iPod",       "Mobile",     "mobile",     "Windows Phone", "BlackBerry", "BB10",
    "IEMobile", "Opera Mini", "Opera Mobi", "webOS",      "hpwOS",         "Symbian",    "SymbOS",
    "Series60", "Series40",   "J2ME",       "MIDP",       "KAIOS",         "KaiOS",      "Nokia",
    "Fennec",   "Maemo",      "MeeGo",      "UP.Browser", "UP.Link",       "Windows CE", "Palm",
    "DoCoMo",   "KDDI",       "SoftBank",   "Bada",       "bada",          "Sailfish",   "Watch",
    "watchOS",  "iOS",        "UCWEB",      "BREW",       "SonyEricsson",  "Phone",      "Obigo",
    "NetFront"};

const Marks kDesktopMarks = {"Windows",   "Win32",  "Win64",       "WinNT",   "Win98",  "Win95",
                             "Macintosh", "Mac OS", "Mac_PowerPC", "macOS",   "X11",    "Linux",
                             "linux",     "CrOS",   "FreeBSD",     "OpenBSD", "NetBSD", "SunOS",
                             "Haiku",     "OS/2",   "Amiga",       "BeOS",    "Ubuntu", "Lynx"};

bool has_any(std::string_view text, const Marks& marks) {
  return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) {
    return text.find(mark) != std::string_view::npos;
  });
}

bool has(std::string_view text, std::string_view mark) {
  return text.find(mark) != std::string_view::npos;
}

}  // namespace

std::string_view device_class(std::string_view user_agent) {
  if (has_any(user_agent, kConsoleMarks)) return kConsole;
  if (has_any(user_agent, kTvMarks) || (has(user_agent, "Tizen") && has(user_agent, "TV"))) {
    return kTv;
  }
  const bool is_tablet_pc = has(user_agent, "Tablet PC");  // a Windows with a pen
  if (!is_tablet_pc && has_any(user_agent, kTabletMarks)) return kTablet;
  if (has(user_agent, "Silk/") && !has(user_agent, "Mobile")) return kTablet;
  if (has_any(user_agent, kMobileMarks)) return kMobile;
  // Makers of phones say "Mobile", those of tablets leave it out.
  if (has(user_agent, "Android")) return kTablet;
  if (has(user_agent, "Tizen")) return kMobile;
  return has_any(user_agent, kDesktopMarks) ? kDesktop : std::string_view();
}

std::string_view device_class(int screen_width) {
  if (screen_width < 1) return {};
  if (screen_width < kTabletFrom) return kMobile;
  return screen_width < kDesktopFrom ? kTablet : kDesktop;
}

}  // namespace analytics
