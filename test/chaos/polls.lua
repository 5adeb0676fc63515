-- For wrk, in one thread: sends the raw requests of the file named by REQUESTS in turn, each of which ends in a zero byte,
-- and prints every second what was answered in the one before: its time in seconds, then each status and how often.

local requests = {}
local turn = 0
local second = 0
local counts = {}

function init(args)
  local file = assert(io.open(os.getenv("REQUESTS"), "rb"))
  for request in file:read("*a"):gmatch("([^%z]+)%z") do requests[#requests + 1] = request end
  file:close()
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

local function tell()
  local words = { tostring(second) }
  for status, count in pairs(counts) do words[#words + 1] = status .. "=" .. count end
  print(table.concat(words, " "))
  io.stdout:flush()
end

function response(status, headers, body)
  local now = os.time()
  if now ~= second then
    if second > 0 then tell() end
    second = now
    counts = {}
  end
  counts[status] = (counts[status] or 0) + 1
end

function done(summary, latency, requests)
  local errors = summary.errors
  print("errors " .. errors.connect .. " " .. errors.read .. " " .. errors.write .. " " .. errors.timeout)
end
