-- For wrk with one thread: sends events, each with a forged client address. Prints each answer that
-- is not 202, and at the end `counted REQUESTS ERRORS`.
local count = 0

function request()
  count = count + 1
  return wrk.format("POST", "/api/event", {
    ["Host"] = "stats.example.com",
    ["Content-Type"] = "application/json",
    ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
    ["X-Forwarded-For"] = "203.0.113." .. (count % 250),
  }, '{"n":"pageview","u":"https://example.com/' .. count .. '","d":"example.com"}')
end

function response(status, _, body)
  if status ~= 202 then io.write(string.format("answered %d %s\n", status, body:sub(1, 200):gsub("%s+", " "))) end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format("errors: connect %d, read %d, write %d, status %d, timeout %d\n", errors.connect,
    errors.read, errors.write, errors.status, errors.timeout))
  io.write(string.format("counted %d %d\n", summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
