// Derivative chain of index three, [MS91] (1.2): position, velocity and force per mass of a prescribed motion.
model derivative_chain "x = f(t), y = x', z = y'"
  Real x; Real y; Real z;
equation
  der(x) = y;
  der(y) = z;
  x = sin(time);
end derivative_chain;
