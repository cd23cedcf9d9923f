-- Fixed window: x is the start of the window, y the permits taken in it, z the time of the last charge.

--@ decide
if not (t_i == T_i and x_i >= now - now % W_i and x_i <= now + W_i and y_i >= 0) then
  x_i, y_i = now - now % W_i, 0
end
local ok_i = c_g == 0 or y_i + c_g <= L_i

--@ charge
y_i = y_i + c_g

--@ expiry
if y_i > 0 and x_i + W_i - now > life then
  life = x_i + W_i - now
end
z_i = now

--@ stepped
false

--@ found
local ahead_i = x_i > now

--@ refund
local given_i = y_i > 0 and at >= x_i and at <= math.max(now, x_i)
if given_i then
  y_i = math.max(0, y_i - c_g)
end

--@ ours
t_i == T_i and (x_i > now or not ahead_i)

--@ empty
y_i == 0
