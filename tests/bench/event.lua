-- wrk: one event a request, from 50,000 visitors on 300 pages.
local count = 0
request = function()
  count = count + 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
    ["X-Forwarded-For"] = "10.0." .. (count % 200) .. "." .. (count % 250),
  }
  local body = '{"n":"pageview","u":"https://example.com/page/' .. (count % 300) ..
    '","d":"example.com","r":"https://www.google.com/","w":1440}'
  return wrk.format("POST", "/api/event", headers, body)
end
