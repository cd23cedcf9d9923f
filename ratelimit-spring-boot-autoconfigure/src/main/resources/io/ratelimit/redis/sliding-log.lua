-- Sliding log: a list of the times of admitted units, oldest first. A list whose head is negative is weighted: the head is
-- minus the number of units, and a negative element stands before the time that it weighs. A list becomes weighted with the
-- first charge of more than 32 units and stays so until it is empty.
-- Says x: units that count, y: the time whose expiry lets remaining grow, z: the time whose expiry admits this cost.

--@ decide
local drop_i, fresh_i, weighted_i, now_i = 0, false, false, now
local head_i = redis.pcall('LINDEX', log_i, 0)
if not head_i then
  x_i, y_i, z_i = 0, now, now
else
  local last = type(head_i) == 'string' and tonumber(head_i) and tonumber(redis.call('LINDEX', log_i, -1))
  if not last or last > now + W_i or last < now - W_i then
    x_i, y_i, z_i, fresh_i = 0, now, now, true
  else
    now_i = math.max(now, last)
    local edge = now_i - W_i
    if head_i + 0 >= edge then
      x_i, y_i, z_i = redis.call('LLEN', log_i), head_i + 0, 0
    elseif head_i + 0 >= 0 then
      -- Some have expired: gallop, then halve, to the first that has not.
      local low, high = 0, 1
      while tonumber(redis.call('LINDEX', log_i, high) or last) < edge do
        low, high = high, high * 2
      end
      while high - low > 1 do
        local middle = math.floor((low + high) / 2)
        if tonumber(redis.call('LINDEX', log_i, middle) or last) < edge then
          low = middle
        else
          high = middle
        end
      end
      drop_i = high
      x_i, y_i, z_i = redis.call('LLEN', log_i) - high, tonumber(redis.call('LINDEX', log_i, high)), 0
    else
      weighted_i = true
      x_i = -head_i
      local index, weight, gone, first, retry = 1, 1, 0, nil, nil
      while not retry do
        local chunk = redis.call('LRANGE', log_i, index, index + 127)
        if #chunk == 0 then
          break
        end
        for j = 1, #chunk do
          local value = tonumber(chunk[j])
          if value < 0 then
            weight = -value
          elseif value < edge then
            x_i, drop_i, weight = x_i - weight, index + j - 1, 1
          else
            gone, weight = gone + weight, 1
            if not first and gone > x_i - L_i then
              first = value
            end
            if first and (gone >= x_i + c_g - L_i or c_g > L_i) then
              retry = value
              break
            end
          end
        end
        index = index + #chunk
      end
      y_i, z_i = first or last, retry or last
    end
    if not weighted_i then
      if x_i > L_i then
        y_i = tonumber(redis.call('LINDEX', log_i, drop_i + x_i - L_i) or last)
      end
      local wait = x_i + c_g - L_i
      if wait > 0 and wait <= x_i then
        z_i = wait == 1 and y_i or tonumber(redis.call('LINDEX', log_i, drop_i + wait - 1))
      end
    end
  end
end
local ok_i = c_g == 0 or x_i + c_g <= L_i

--@ charge
if fresh_i then
  redis.call('DEL', log_i)
elseif weighted_i then
  redis.call('LTRIM', log_i, drop_i + 1, -1)
elseif drop_i > 0 then
  redis.call('LTRIM', log_i, drop_i, -1)
end
if weighted_i or c_g > 32 then
  redis.call('LPUSH', log_i, -(x_i + c_g))
  redis.call('RPUSH', log_i, -c_g, now_i)
elseif c_g == 1 then
  redis.call('RPUSH', log_i, now_i)
else
  local units = {}
  for j = 1, c_g do
    units[j] = now_i
  end
  redis.call('RPUSH', log_i, unpack(units))
end
redis.call('PEXPIRE', log_i, math.max(floor_ms, math.ceil((now_i + W_i + 1 - now) / 1000)))

--@ refund
if fresh_i then
  redis.call('DEL', log_i)
elseif weighted_i then
  local units, left, weight, total = {}, c_g, 1, 0
  for _, unit in ipairs(redis.call('LRANGE', log_i, 1, -1)) do
    local value = tonumber(unit)
    if value < 0 then
      weight = -value
    else
      if value == at then
        weight, left = math.max(0, weight - left), math.max(0, left - weight)
      end
      if value >= now_i - W_i and weight > 0 then
        if weight > 1 then
          units[#units + 1] = -weight
        end
        units[#units + 1] = value
        total = total + weight
      end
      weight = 1
    end
  end
  redis.call('DEL', log_i)
  for j = 1, #units, 1000 do
    redis.call('RPUSH', log_i, unpack(units, j, math.min(j + 999, #units)))
  end
  if total > 0 then
    redis.call('LPUSH', log_i, -total)
  end
elseif x_i > 0 then
  redis.call('LREM', log_i, -c_g, at)
end
local last_i = tonumber(redis.pcall('LINDEX', log_i, -1) or nil)
if last_i then
  redis.call('PEXPIRE', log_i, math.max(floor_ms, math.ceil((last_i + W_i + 1 - now) / 1000)))
end
