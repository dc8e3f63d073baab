// A ball that bounces: infinitely many impacts in a finite time. Where a rebound would be slower than `rest` the ball stays, else the
// run would come to no end there. It teaches when, reinit and pre.
// Source: the flights between impacts are parabolas, so impact k comes at t1 + 2 v1 (e + ... + e^(k-1))/g with v1 = g t1.
model bouncing_ball_equations "A bouncing ball, stated with when and reinit"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real e(min = 0, max = 1) = 0.8 "restitution";
  parameter Real rest(unit = "m/s", min = 0) = 1e-3 "a rebound that is slower is none";
  Real h(start = 1, fixed = true, unit = "m", nominal = 1) "height";
  Real v(start = 0, fixed = true, unit = "m/s", nominal = 1) "velocity";
  Boolean flying(start = true) "whether it moves";
  Integer impacts "so far";
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h <= 0 then
    flying = -e*pre(v) > rest;
    impacts = pre(impacts) + 1;
    reinit(h, 0);
    reinit(v, if flying then -e*pre(v) else 0);
  end when;
  annotation(experiment(StopTime = 5), __Driftless(scene(point(0, h), rod(-0.5, 0, 0.5, 0))));
end bouncing_ball_equations;
