// The oscillator of van der Pol with a small parameter: fast in z, slow in y. For epsilon to zero the motion follows the curve of the
// model impasse between its jumps.
model relaxation "Oscillator of van der Pol, slow and fast"
  parameter Real epsilon(min = 1e-8, max = 1) = 1e-3;
  Real y(start = 0.6666666666666666, fixed = true) "slow"; Real z(start = 2, fixed = true) "fast";
equation
  der(y) = -z "slow";
  epsilon*der(z) = y + z - z^3/3 "fast";
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end relaxation;
