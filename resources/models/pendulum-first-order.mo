// The pendulum in first order: positions and velocities are unknowns of their own, so that x' = v is differentiated too.
model pendulum_first_order "Pendulum with velocities as unknowns"
  parameter Real g = 9.81;
  Real x(start = 1); Real y(start = 0); Real u; Real v; Real lambda;
equation
  x^2 + y^2 = 1;
  der(x) = u;
  der(y) = v;
  der(u) = lambda*x;
  der(v) = lambda*y - g;
  annotation(__Driftless(scene(pin(0, 0), rod(0, 0, x, y), point(x, y))));
end pendulum_first_order;
