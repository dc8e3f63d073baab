// A fast equation with a small parameter: z falls onto cos(y) within some epsilon, then follows it. For epsilon to zero the
// equation becomes z = cos(y), of index one; zero is that equation beside it.
model layer "A boundary layer, and its limit of index one"
  parameter Real epsilon(min = 1e-8, max = 1) = 1e-2;
  Real y(start = 0, fixed = true) "slow"; Real z(start = 2, fixed = true) "fast";
  Real y0(start = 0, fixed = true) "slow, in the limit"; Real z0 "fast, in the limit";
equation
  der(y) = z;
  epsilon*der(z) = cos(y) - z;
  der(y0) = z0;
  z0 = cos(y0);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end layer;
