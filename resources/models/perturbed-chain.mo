// A prescribed position with noise on it, differentiated twice: what an error of size delta in a constraint does to the
// unknowns behind it. With delta = 0 it is the derivative chain of [MS91] (1.2).
model perturbed_chain "Noise on a prescribed motion: x, its rate and its acceleration"
  parameter Real delta(min = 0, max = 0.1) = 1e-3 "amplitude of the noise";
  parameter Real omega(min = 1, max = 1000) = 30 "frequency of the noise";
  Real x; Real y; Real z;
  Real ex "error of x"; Real ey "error of y"; Real ez "error of z";
equation
  der(x) = y;
  der(y) = z;
  x = sin(time) + delta*sin(omega*time) "prescribed";
  ex = x - sin(time);
  ey = y - cos(time);
  ez = z + sin(time);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end perturbed_chain;
