-- What surrounds the limits. Names that end in _i stand for one limit, those in _g for the limits of one policy.
--
-- Expiry: life is in microseconds, a double that is rounded when it exceeds 53 bits, so off by less than 2^-51 of itself. The
-- millisecond in which now + life lies, plus one, is later than now + life by more than 0 and at most 1 ms, and Redis lets a
-- key live through that millisecond; so a key lives long enough as long as the rounding is below 1 ms: 70,000 years.

--@ redis-time
local clock = redis.call('TIME')
local now, floor_ms = clock[1] * 1000000 + clock[2], 0

--@ given-time
local now, floor_ms = tonumber(table.remove(ARGV)), 60000

--@ stored
local stored_g = type(value_g) == 'string' and value_g or ''

--@ read
if value_g then
  if #value_g > 0 and #value_g ~= size_g and #value_g % 32 == 1 then
    value_g = string.sub(value_g .. string.rep('\0', size_g), 1, size_g)
  end
  if #value_g == size_g then
    read_values
  end
end

--@ write
local written_g = packed_value
redis.call('SET', KEYS_g, written_g, set_expiry)

--@ put-back
-- Other policies of this name may count here as well, so all but the parts that gave something back stays as it is.
if given_i then
  stored_g = string.sub(stored_g, 1, before_i) .. struct.pack('<dddd', T_i, x_i, y_i, z_i) .. string.sub(stored_g, after_i)
end

--@ rewrite
-- The expiry stays if it may be that of somebody else: of a part that this policy does not know, or of one that is fresh only
-- until the clock has caught up. Else it may come nearer, but never later. What is left is asked for before the time, so that
-- the end of the key is not taken for earlier than it is.
if any_given then
  local ours, life = #stored_g == size_g and all_ours, 0
  if ours and all_empty then
    redis.call('DEL', KEYS_g)
  else
    local left = ours and redis.call('PTTL', KEYS_g) or 0
    if left > 0 then
      set_ends
      set_life
    end
    if math.max(life / 1000 + 1, floor_ms) < left then
      redis.call('SET', KEYS_g, stored_g, set_expiry)
    else
      redis.call('SET', KEYS_g, stored_g, 'KEEPTTL')
    end
  end
end

--@ ends-on-the-clock-of-redis
local later = redis.call('TIME')
local ends = later[1] * 1000000 + later[2] + left * 1000

--@ ends-in-a-time
local ends = now + left * 1000 + 1000

--@ expires-on-the-clock-of-redis
'PXAT', string.format('%d', (now + life) / 1000 + 1)

--@ expires-in-a-time
'PX', string.format('%d', math.max(life / 1000 + 1, floor_ms))

--@ reset
redis.call('DEL', unpack(KEYS))
redis.call('SET', KEYS[#KEYS], string.format('%d', now), 'PX', string.format('%d', math.max(floor_ms, tonumber(ARGV[1]))))
return ''

--@ charged-before-reset
local reset = redis.pcall('GET', KEYS[#KEYS])
if type(reset) == 'string' and tonumber(reset) and at < tonumber(reset) then
  return ''
end
