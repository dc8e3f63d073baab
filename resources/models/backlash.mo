// Two wheels whose teeth have play: they touch on one side, part, and touch on the other. It teaches conditions in an if that
// change along the motion: each change is an event.
// Source: through the play the wheels turn freely, in contact they swing: the period is 4 play/u + 2 pi sqrt(J/c), u the relative
// speed in the play and J = J1 J2/(J1 + J2).
model backlash "Two wheels with play between their teeth"
  parameter Real J1(unit = "kg.m2") = 1 "inertia"; parameter Real J2(unit = "kg.m2") = 2 "inertia";
  parameter Real c(unit = "N.m/rad") = 100 "stiffness of the teeth";
  parameter Real play(unit = "rad", min = 0) = 0.1 "half of it";
  Real phi1(start = 0, fixed = true, unit = "rad"); Real phi2(start = 0, fixed = true, unit = "rad");
  Real w1(start = 1, fixed = true, unit = "rad/s"); Real w2(start = 0, fixed = true, unit = "rad/s");
  Real tau(unit = "N.m") "torque from the first on the second";
  Boolean touching "whether the teeth touch";
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = -tau;
  J2*der(w2) = tau;
  tau = if phi1 - phi2 > play then c*(phi1 - phi2 - play) elseif phi1 - phi2 < -play then c*(phi1 - phi2 + play) else 0;
  touching = phi1 - phi2 > play or phi1 - phi2 < -play;
  annotation(experiment(StopTime = 3));
end backlash;
