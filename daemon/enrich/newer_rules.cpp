#include "daemon/enrich/newer_rules.h"

namespace analytics {
namespace {

constexpr NewerRule kBrowsers[] = {
    // Apps that show web pages, most of which would be recognised as Safari. They get no version,
    // as in Plausible.
    {R"x((Barcelona[ /]|LinkedInApp|ChatGPT/|GrokApp/|Sapphire/|BingWeb|bingipadclient|TeamsMobile-|NAVER\(inapp| QQ/[\d.]+ V1_IPH_SQ_|jp\.co\.yahoo\.(?:android\.yjtop|ipn\.appli)/|Zalo(?:/| android| iOS)|YuanBao/|Safari Quora |[ /]XING/|GNews |nytios/|DingTalk/| Lark/| Kwai/|OKApp|GoogleLens/|GoogleWv/|MetaMaskMobile|WebViewApp |Reddit/Version|Discord/|Flipboard/|Klarna/|jpameblo))x",
     "Mobile App", "", ""},
    {R"x(^Mozilla/.* (Outlook-iOS))x", "Mobile App", "", ""},
    {R"x((Outlook-iOS)/[^(]*\((\d+)\.(\d+))x", "Microsoft Outlook", "", ""},
    {R"x((NintendoBrowser)/(\d+)\.(\d+))x", "Nintendo Browser", "", ""},
    {R"x((LG Browser)/(\d+)\.(\d+))x", "LG Browser", "", ""},
    {R"x((PlayStation ?[45]))x", "NetFront", "", ""},
    {R"x((OPX)/(\d+)\.(\d+))x", "Opera GX", "", ""},
    {R"x((OPT)/(\d+)\.(\d+))x", "Opera Touch", "", ""},
    {R"x((HuaweiBrowser)/(\d+)\.(\d+))x", "Huawei Browser", "", ""},
    {R"x((AvastSecureBrowser|Avast)/(\d+)\.(\d+))x", "Avast Secure Browser", "", ""},
    {R"x((AVG)/(\d+)\.(\d+))x", "AVG", "", ""},
    {R"x((AlohaBrowser|ABB)/(\d+)\.(\d+))x", "Aloha Browser", "", ""},
    {R"x((Brave|brave)/(\d+)(?:\.(\d+))?)x", "Brave", "", ""},
    {R"x((Brave) Chrome/(\d+)\.(\d+))x", "Brave", "", ""},
    {R"x(\(?(Brave)\)?$)x", "Brave", "", ""},
    {R"x((EdgiOS|EdgA)/(\d+)(?:\.(\d+))?)x", "Edge Mobile", "", ""},
    {R"x((CriOS)/(\d+)(?:\.(\d+))?)x", "Chrome Mobile iOS", "", ""},
    {R"x((Vivaldi)/(\d+)(?:\.(\d+))?)x", "Vivaldi", "", ""},
    {R"x((OculusBrowser)/(\d+)\.(\d+))x", "Oculus Browser", "", ""},
    {R"x((baiduboxapp|flyflow)/(\d+)\.(\d+))x", "Baidu Explorer", "", ""},
    {R"x(Mobile.+(DuckDuckGo|Ddg)/(\d+)(?:\.(\d+))?)x", "DuckDuckGo Mobile", "", ""},
    {R"x((DuckDuckGo|Ddg)/(\d+)(?:\.(\d+))?)x", "DuckDuckGo", "", ""},
    {R"x((Ecosia) ios@(\d+)(?:\.(\d+))?)x", "Ecosia iOS", "", ""},
    {R"x((Ecosia) android@(\d+)(?:\.(\d+))?)x", "Ecosia Android", "", ""},
    {R"x((VivoBrowser)/(\d+)\.(\d+))x", "VivoBrowser", "", ""},
    {R"x((HiBrowser|HIBrowser)/v?(\d+)\.(\d+))x", "HiBrowser", "", ""},
    {R"x((bdhonorbrowser|HonorBrowser)/(\d+)\.(\d+))x", "Honor Browser", "", ""},
    {R"x((HeyTapBrowser)/(\d+)\.(\d+))x", "HeyTap Browser", "", ""},
    {R"x((weibo)__(\d+)\.(\d+))x", "Weibo", "", ""},
    {R"x((WeiboliteiOS|WeiboIntliOS))x", "Weibo", "", ""},
    {R"x((PHX)/(\d+)\.(\d+))x", "Phoenix Browser", "", ""},
    {R"x((YaSearchBrowser)/(\d+)\.(\d+))x", "Yandex Browser", "", ""},
    {R"x((QuarkPC)/(\d+)\.(\d+))x", "Quark PC", "", ""},
    {R"x((Quark)/(\d+)\.(\d+))x", "Quark", "", ""},
    {R"x((SLBrowser)/(\d+)\.(\d+))x", "Smart Lenovo Browser", "", ""},
    {R"x((115Browser)/(\d+)\.(\d+))x", "115 Browser", "", ""},
    {R"x((Avira)/(\d+)\.(\d+))x", "Avira", "", ""},
    {R"x((CCleaner)/(\d+)\.(\d+))x", "CCleaner", "", ""},
    {R"x((Norton)/(\d+)\.(\d+))x", "Norton", "", ""},
    {R"x((QIHU 360SEi18n|QIHU 360ENT))x", "360 Secure Browser", "", ""},
    {R"x((SberBrowser)/(\d+)\.(\d+))x", "Sber Browser", "", ""},
    {R"x((Wolvic)/(\d+)\.(\d+))x", "Wolvic Browser", "", ""},
    {R"x((MicroMessenger)/(\d+)(?:\.(\d+))?)x", "WeChat Browser", "", ""},
    {R"x((wxwork)/(\d+)(?:\.(\d+))?)x", "WeChat Browser", "", ""},
    {R"x((OMI)/(\d+)\.(\d+))x", "Vewd Browser", "", ""},
    {R"x((Mypal)/(\d+)\.(\d+))x", "Mypal Browser", "", ""},
    {R"x(^(Instagram) (\d+)\.(\d+))x", "Instagram", "", ""},
    {R"x((musical_ly) app_version/(\d+)\.(\d+))x", "TikTok", "", ""},
    {R"x((musical_ly)_(\d+)\.(\d+))x", "TikTok", "", ""},
    {R"x((BytedanceWebview)/)x", "TikTok", "", ""},
    {R"x((KAKAOTALK)/(\d+)\.(\d+))x", "KakaoTalk", "", ""},
    {R"x((Telegram-Android)/(\d+)\.(\d+))x", "Telegram", "", ""},
    {R"x((UCMobile)/(\d+)\.(\d+))x", "UC Browser", "", ""},
    {R"x((Instabridge)/(\d+)(?:\.(\d+))?)x", "Instabridge", "", ""},
    {R"x((Teams)/(\d+)\.(\d+))x", "Microsoft Teams", "", ""},
    {R"x((OBS)/(\d+)\.(\d+))x", "OBS Studio", "", ""},
    {R"x((QtWebEngine)/(\d+)\.(\d+))x", "Qt Web Engine", "", ""},
    {R"x((CitizenFX)/(\d+)\.(\d+))x", "CitizenFX", "", ""},
    {R"x((AdobeCEP)/(\d+)\.(\d+))x", "Adobe CEP", "", ""},
    {R"x((Valve Steam GameOverlay).+Chrome/(\d+)\.(\d+))x", "Steam GameOverlay", "", ""},
    {R"x((Valve Steam Gamepad).+Chrome/(\d+)\.(\d+))x", "Steam Deck", "", ""},
    {R"x((Valve Steam Client|Valve Client).+Chrome/(\d+)\.(\d+))x", "Steam Client", "", ""},
    {R"x((Ladybird)/(\d+)(?:\.(\d+))?)x", "Ladybird", "", ""},
    {R"x((MullvadBrowser)/(\d+)(?:\.(\d+))?)x", "MullvadBrowser", "", ""},
};

// Rules for systems. Darwin's major version was that of iOS plus six until 2025, when iOS 26 came
// with Darwin 25.
constexpr NewerRule kSystems[] = {
    {R"x((PlayStation) (Portable|Vita))x", "PlayStation Portable", "$2", ""},
    {R"x((?i)(PlayStation) ?(\d)(?:[/ ](?:Pro )?(\d+))?)x", "PlayStation", "", ""},
    {R"x((Nintendo) (Wii|Switch))x", "Nintendo", "$2", ""},
    {R"x((Nintendo) (3DS|DSi|DS))x", "Nintendo Mobile", "$2", ""},
    {R"x((Web0S|webOSTV).*WEBOS(\d+)(?:\.(\d+))?)x", "webOS", "", ""},
    {R"x((Web0S|webOS\.TV|webOSTV))x", "webOS", "", ""},
    // Safari no longer updates the iOS version in its User-Agent, but Safari's own version is the
    // same.
    {R"x((OS) 18_[67] like Mac OS X.* Version/(2[6-9])\.(\d+))x", "iOS", "", ""},
    {R"x((Quest)[ );].*OculusBrowser)x", "Android", "", ""},
    {R"x(Intel Mac OS X.+(CriOS|EdgiOS)/)x", "iOS", "", ""},
    {R"x(CFNetwork/.*(Darwin)/22\.([0-5])(?:\.|$| ))x", "iOS", "16", "$2"},
    {R"x(CFNetwork/.*(Darwin)/22\.)x", "iOS", "16", ""},
    {R"x(CFNetwork/.*(Darwin)/23\.([0-5])(?:\.|$| ))x", "iOS", "17", "$2"},
    {R"x(CFNetwork/.*(Darwin)/23\.)x", "iOS", "17", ""},
    {R"x(CFNetwork/.*(Darwin)/24\.([0-5])(?:\.|$| ))x", "iOS", "18", "$2"},
    {R"x(CFNetwork/.*(Darwin)/24\.)x", "iOS", "18", ""},
    {R"x(CFNetwork/.*(Darwin)/25\.([0-9])(?:\.|$| ))x", "iOS", "26", "$2"},
    {R"x((HarmonyOS)(?: (\d+))?(?:\.(\d+))?)x", "HarmonyOS", "", ""},
};

}  // namespace

std::span<const NewerRule> newer_browser_rules() { return kBrowsers; }
std::span<const NewerRule> newer_system_rules() { return kSystems; }

}  // namespace analytics
