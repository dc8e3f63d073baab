// The pendulum stabilised by Gear, Gupta and Leimkuhler (1985): index two.
model pendulum_ggl "Pendulum with both constraints and a second multiplier"
  parameter Real g = 9.81;
  Real x(start = 1); Real y(start = 0); Real u; Real v; Real lambda; Real mu;
equation
  der(x) = u - 2*x*mu;
  der(y) = v - 2*y*mu;
  der(u) = -2*x*lambda;
  der(v) = -2*y*lambda - g;
  x^2 + y^2 = 1;
  x*u + y*v = 0;
  annotation(__Driftless(scene(pin(0, 0), rod(0, 0, x, y), point(x, y))));
end pendulum_ggl;
