-- What surrounds the limits. Names that end in _i stand for one limit, those in _g for the limits of one policy.

--@ redis-time
local clock = redis.call('TIME')
local now, floor_ms = clock[1] * 1000000 + clock[2], 0

--@ given-time
local now, floor_ms = tonumber(table.remove(ARGV)), 60000

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
if life < floor_ms then
  life = floor_ms
elseif life > 9007199254740991 then
  life = 9007199254740991
end
redis.call('SET', KEYS_g, packed_value, 'PX', life + -life % 1)

--@ rewrite
if life > 0 then
  life = math.min(math.max(life, floor_ms), 9007199254740991)
  redis.call('SET', KEYS_g, packed_value, 'PX', life + -life % 1)
elseif value_g then
  redis.call('DEL', KEYS_g)
end
