-- For wrk: sends the raw requests of the file named by REQUESTS, in turn. Each ends in a zero byte.

local requests = {}
local turn = 0

function init(args)
  local file = assert(io.open(os.getenv("REQUESTS"), "rb"))
  for request in file:read("*a"):gmatch("([^%z]+)%z") do requests[#requests + 1] = request end
  file:close()
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end
