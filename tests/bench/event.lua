-- wrk: one event a request. SITES: interleaved sites (1). MIX: warm (300 pages, one browser) or cold
-- (100,000 pages, 50,000 browsers). Prints `rate p50 p99 p99.9 errors`, times in ms.
local sites = tonumber(os.getenv("SITES") or "1")
local cold = os.getenv("MIX") == "cold"
local count = 0
local pages = cold and 100000 or 300
local browsers = cold and 50000 or 1

function setup(thread)
  thread:set("offset", math.random(1, 1000000))
end

function init()
  count = offset or 0
end

function request()
  count = count + 1
  local site = sites == 1 and "example.com" or ("site" .. (count % sites) .. ".example")
  local browser = browsers == 1 and "131" or tostring((count * 7919) % browsers)
  local headers = {
    ["Content-Type"] = "application/json",
    ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:" .. browser .. ".0) Gecko/20100101 Firefox/" .. browser,
    ["X-Forwarded-For"] = "10." .. (count % 7) .. "." .. (count % 200) .. "." .. (count % 250),
  }
  local body = '{"n":"pageview","u":"https://' .. site .. '/page/' .. ((count * 104729) % pages) ..
    '","d":"' .. site .. '","r":"https://www.google.com/","w":1440}'
  return wrk.format("POST", "/api/event", headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write +
    summary.errors.status + summary.errors.timeout
  io.write(string.format("result %.0f %.2f %.2f %.2f %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, errors))
end
