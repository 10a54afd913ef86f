-- For wrk: sends one event per request. Each visitor has a referrer and a common browser, and views
-- two or three pages. SITES: number of sites that take turns (1). MIX: warm (300 pages, 120
-- browsers) or cold (100,000 pages, 50,000 browsers). Prints `rate p50 p99 p99.9 errors`, in ms.
local sites = tonumber(os.getenv("SITES") or "1")
local cold = os.getenv("MIX") == "cold"
local count = 0
local pages = cold and 100000 or 300
local versions = cold and 10000 or 24

local browsers = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS %d_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.4 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/128.0",
}
local referrers = {
  "", "", "", "", "https://www.google.com/", "https://www.google.de/search?q=analytics", "https://www.bing.com/",
  "https://duckduckgo.com/", "https://t.co/a1b2c3", "https://news.ycombinator.com/item?id=42",
  "https://www.reddit.com/r/selfhosted/comments/1/", "https://github.com/topics/analytics",
  "https://www.linkedin.com/feed/", "https://blog.example.net/2026/11/statistics", "https://chatgpt.com/",
}

function setup(thread)
  thread:set("offset", math.random(1, 1000000))
end

function init()
  count = offset or 0
end

function request()
  count = count + 1
  local visit = math.floor(count * 2 / 5) -- a visit has 2.5 events on average
  local site = sites == 1 and "example.com" or ("site" .. (visit % sites) .. ".example")
  local browser = visit * 7919 % (versions * #browsers)
  local headers = {
    ["Content-Type"] = "application/json",
    ["User-Agent"] = string.format(browsers[browser % #browsers + 1], 100 + math.floor(browser / #browsers)),
    ["X-Forwarded-For"] = "10." .. (math.floor(visit / 62500) % 250) .. "." .. (math.floor(visit / 250) % 250) ..
      "." .. (visit % 250),
  }
  local body = '{"n":"pageview","u":"https://' .. site .. '/page/' .. ((count * 104729) % pages) ..
    '","d":"' .. site .. '","r":"' .. referrers[visit % #referrers + 1] .. '","w":1440}'
  return wrk.format("POST", "/api/event", headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write +
    summary.errors.status + summary.errors.timeout
  io.write(string.format("result %.0f %.2f %.2f %.2f %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, errors))
end
