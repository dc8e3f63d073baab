// Planar pendulum in Cartesian coordinates as equations, [MS91] Example 3: index three.
model pendulum_equations "The inevitable pendulum"
  parameter Real L(unit = "m") = 1 "length";
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  Real x(start = 1, fixed = true, unit = "m");
  Real y(start = 0, unit = "m");
  Real lambda(unit = "N") "force in the rod";
equation
  m*der(x, 2) + lambda/L*x = 0;
  m*der(y, 2) + lambda/L*y + m*g = 0;
  x^2 + y^2 - L^2 = 0 "the rod keeps its length";
  annotation(__Driftless(scene(pin(0, 0), rod(0, 0, x, y), point(x, y))));
end pendulum_equations;
