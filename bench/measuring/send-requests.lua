-- A script for wrk: sends the requests of a file in turn, and prints the result as JSON. Before each request, the
-- file has a line with its length in bytes.
local requests = {}
local sent = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  while true do
    local length = file:read('*l')
    if not length then break end
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "microseconds": %d, "refused": %d, "broken": %d}\n',
    summary.requests - errors.status, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
