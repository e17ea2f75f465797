-- The requests of `load`: lists, searches, single objects, and one change among ten requests.
local paths = {}
for line in io.lines(os.getenv("LEAGUE_PATHS")) do paths[#paths + 1] = line end
local json = { ["Content-Type"] = "application/json", ["If-Match"] = "*" }
local threads = {}

function setup(thread)
    thread:set("number", #threads)
    threads[#threads + 1] = thread
end

function init()
    math.randomseed(number + 1)
    failures, conflicts = 0, 0
end

function request()
    local dice = math.random(10)
    local path = paths[math.random(#paths)]
    if dice <= 4 then return wrk.format("GET", "/players?limit=20") end
    if dice <= 5 then return wrk.format("GET", "/players?limit=20&search=ya") end
    if dice <= 9 then return wrk.format("GET", path) end
    local key = path:sub(1, 7) == "/teams/" and "uniformColor" or "email"
    local value = key == "email" and ("p" .. math.random(1000) .. "@league.example") or ("Colour " .. math.random(1000))
    return wrk.format("PATCH", path, json, '{"' .. key .. '": "' .. value .. '"}')
end

function response(status)
    if status == 409 or status == 412 then conflicts = conflicts + 1
    elseif status >= 300 then failures = failures + 1 end
end

function done(summary)
    local failures, conflicts = 0, 0
    for _, thread in ipairs(threads) do
        failures = failures + thread:get("failures")
        conflicts = conflicts + thread:get("conflicts")
    end
    print("requests: " .. summary.requests)
    print("failures: " .. failures)
    print("conflicts: " .. conflicts)
end
