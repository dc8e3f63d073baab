// The reduced equation of van der Pol: y has to be z^3/3 - z while it falls. At z = 1 this curve turns back. The motion arrives
// there after 3/2 - log(2) s, and no solution goes on.
model impasse "A curve that ends the motion"
  Real y(start = 0.6666666666666666) "slow"; Real z(start = 2, fixed = true) "fast";
equation
  der(y) = -z "slow";
  y = z^3/3 - z "curve";
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end impasse;
