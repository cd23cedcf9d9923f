-- Sliding counter: x is the start of the window (stored: any time in it), y the permits of the window before, z those of
-- this one.

--@ decide
local start_i = now - now % W_i
x_i = x_i - x_i % W_i
if t_i == T_i and y_i >= 0 and z_i >= 0 and (x_i <= now or x_i - now <= W_i - math.ceil(W_i / L_i)) then
  if x_i < start_i then
    x_i, y_i, z_i = start_i, x_i == start_i - W_i and z_i or 0, 0
  end
else
  x_i, y_i, z_i = start_i, 0, 0
end
local ok_i = c_g == 0 or z_i + c_g <= L_i
if ok_i and y_i > 0 and c_g > 0 then
  local left = W_i - math.max(0, now - x_i)
  if y_i * left < 9007199254740992 then
    ok_i = y_i * left <= (L_i - z_i - c_g) * W_i
  else
    -- Beyond 53 bits: y * left / W by long division in digits of seven bits, then compare permits.
    local q, r = 0, 0
    for shift = 35, 0, -7 do
      local dividend = r * 128 + left * (math.floor(y_i / 2 ^ shift) % 128)
      r = dividend % W_i
      q = q * 128 + (dividend - r) / W_i
    end
    ok_i = q < L_i - z_i - c_g or (q == L_i - z_i - c_g and r == 0)
  end
end

--@ charge
z_i = z_i + c_g

--@ expiry
if z_i > 0 and x_i + 2 * W_i - now > life then
  life = x_i + 2 * W_i - now
elseif y_i > 0 and x_i + W_i - now > life then
  life = x_i + W_i - now
end
if x_i < now then
  x_i = now
end

--@ stepped
x_i > now

--@ found
local ahead_i = x_i - x_i % W_i > now

--@ refund
local given_i = false
if z_i > 0 and at >= x_i and at <= math.max(now, x_i) then
  z_i, given_i = math.max(0, z_i - c_g), true
elseif y_i > 0 and at < x_i and at >= x_i - W_i then
  y_i, given_i = math.max(0, y_i - c_g), true
end

--@ ours
t_i == T_i and (x_i > now or not ahead_i)

--@ empty
y_i == 0 and z_i == 0
