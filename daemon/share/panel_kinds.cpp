#include "daemon/share/view.h"

namespace analytics::share {

const std::vector<PanelKind>& View::panels() {
  using enum Field;
  static const std::vector<PanelKind> kPanels = {
      {"sources",
       "Sources",
       {{"source", "Source", {kSource, {}}},
        {"channel", "Channel", {kChannel, {}}},
        {"referrer", "Referrer", {kReferrer, {}}},
        {"campaign", "Campaign", {kUtmCampaign, {}}},
        {"medium", "Medium", {kUtmMedium, {}}},
        {"utm_source", "UTM source", {kUtmSource, {}}},
        {"content", "Content", {kUtmContent, {}}},
        {"term", "Term", {kUtmTerm, {}}}}},
      {"pages",
       "Pages",
       {{"page", "Page", {kPage, {}}},
        {"entry", "Entry page", {kEntryPage, {}}},
        {"exit", "Exit page", {kExitPage, {}}},
        {"host", "Host", {kHostname, {}}}}},
      {"places",
       "Places",
       {{"country", "Country", {kCountry, {}}},
        {"region", "Region", {kRegion, {}}},
        {"city", "City", {kCity, {}}},
        {"language", "Language", {kLanguage, {}}}}},
      {"devices",
       "Devices",
       {{"device", "Device", {kDevice, {}}},
        {"screen", "Screen", {kScreen, {}}},
        {"browser", "Browser", {kBrowser, {}}},
        {"browser_version", "Browser version", {kBrowserVersion, {}}},
        {"os", "System", {kOs, {}}},
        {"os_version", "System version", {kOsVersion, {}}}}},
      {"goals", "Goals", {{"goal", "Goal", {kGoal, {}}}, {"event", "Event", {kName, {}}}}},
      {"props", "Properties", {}},
  };
  return kPanels;
}

}  // namespace analytics::share
