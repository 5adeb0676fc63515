-- For wrk, in one thread: sends the requests of bench/http/requests.lua. At the end of each second it prints a line about
-- that second: its time in Unix seconds, then each status with the number of answers that had it.

local folder = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(folder .. "../../bench/http/requests.lua")

local second = 0
local counts = {}

local function report()
  local words = { tostring(second) }
  for status, count in pairs(counts) do words[#words + 1] = status .. "=" .. count end
  print(table.concat(words, " "))
  io.stdout:flush()
end

function response(status, headers, body)
  local now = os.time()
  if now ~= second then
    if second > 0 then report() end
    second = now
    counts = {}
  end
  counts[status] = (counts[status] or 0) + 1
end

function done(summary, latency, requests)
  local errors = summary.errors
  print("errors " .. errors.connect .. " " .. errors.read .. " " .. errors.write .. " " .. errors.timeout)
end
