// The sum of both equations holds no derivative: the exact solution is x = t + sin t, y = 0.
model hidden_constraint "Two equations, one of them in disguise"
  Real x; Real y;
equation
  -der(x, 2) - y = sin(time);
  der(x, 2) + x + y = time;
end hidden_constraint;
