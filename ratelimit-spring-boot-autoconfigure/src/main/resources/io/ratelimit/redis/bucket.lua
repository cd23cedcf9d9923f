-- Token bucket and leaky bucket. Both are what is owed (x whole permits and y / window of one), drained at the limit's
-- rate since z. A request of cost c fits while owed + c - 1 is at most the threshold (P_i permits and R_i / window).

--@ decide
if t_i == T_i and z_i <= now + W_i and x_i >= 0 and y_i >= 0 then
  if x_i >= M_i then
    x_i, y_i = M_i, 0
  end
  if z_i < now then
    local units = (now - z_i) * L_i
    if units < 9007199254740992 then
      local rest = units % W_i
      x_i, y_i = x_i - (units - rest) / W_i, y_i - rest
    else
      -- Beyond 53 bits: whole windows first, then the rest by long division in digits of seven bits.
      local elapsed, q, r = (now - z_i) % W_i, 0, 0
      for shift = 35, 0, -7 do
        local dividend = r * 128 + elapsed * (math.floor(L_i / 2 ^ shift) % 128)
        r = dividend % W_i
        q = q * 128 + (dividend - r) / W_i
      end
      x_i, y_i = x_i - (now - z_i - elapsed) / W_i * L_i - q, y_i - r
    end
    if y_i < 0 then
      x_i, y_i = x_i - 1, y_i + W_i
    end
    if x_i < 0 then
      x_i, y_i = 0, 0
    end
    z_i = now
  end
else
  x_i, y_i, z_i = 0, 0, now
end
local ok_i = c_g == 0 or x_i + c_g - 1 < P_i or (x_i + c_g - 1 == P_i and y_i <= R_i)

--@ charge
x_i = x_i + c_g

--@ expiry
-- Where the clock stepped back, draining begins only when it has caught up. Nothing lives longer than 285,000 years, because
-- Redis counts milliseconds in 63 bits.
local ends_i = z_i - now + (x_i * W_i + y_i) / L_i
if ends_i > life then
  life = ends_i < 9e18 and ends_i or 9e18
end

--@ stepped
z_i > now

--@ found
local owed_i = x_i + y_i / W_i

--@ refund
-- What is owed is not drained here: the limit may have changed, and only who decides knows at which rate. Who waited gives
-- up a place in the queue, which is free only if nobody came after: what remained then was sent, or a negative number if there
-- was no wait.
local given_i = false
do
  local remained = tonumber(table.remove(ARGV, 4))
  local kept = remained >= 0 and not (z_i == at and P_i + 1 - x_i - (y_i > R_i and 1 or 0) >= remained)
  local passed = math.max(now, z_i) - at
  if t_i == T_i and z_i <= now + W_i and x_i >= 0 and y_i >= 0 and passed >= 0 and not kept then
    local units = passed * L_i
    local q, r
    if units < 9007199254740992 then
      r = units % W_i
      q = (units - r) / W_i
    else
      local elapsed = passed % W_i
      q, r = 0, 0
      for shift = 35, 0, -7 do
        local dividend = r * 128 + elapsed * (math.floor(L_i / 2 ^ shift) % 128)
        r = dividend % W_i
        q = q * 128 + (dividend - r) / W_i
      end
      q = q + (passed - elapsed) / W_i * L_i
    end
    if q + (r > 0 and 1 or 0) <= c_g then
      x_i, y_i, given_i = x_i - (c_g - q), y_i + r, true
      if y_i >= W_i then
        x_i, y_i = x_i + 1, y_i - W_i
      end
      if x_i < 0 then
        x_i, y_i = 0, 0
      end
    end
  end
end

--@ ours
t_i == T_i

--@ expiry-after-refund
-- At which rate it drains is not known here, but that what was owed is gone by the end of the key: then what is owed now is gone
-- after the same share of that time.
if x_i > 0 or y_i > 0 then
  local ends_i = z_i - now + (ends - z_i) * (x_i + y_i / W_i) / owed_i
  if ends_i > life then
    life = ends_i
  end
end

--@ empty
x_i == 0 and y_i == 0
