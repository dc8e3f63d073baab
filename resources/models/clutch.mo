// An engine wheel and a load, coupled by a dry clutch. The clutch slips until both turn alike, locks, and slips again when it would have
// to carry more than its limit. It teaches a discrete variable that decides which equation holds: slipping the torque is given, locked the
// accelerations are equal.
// Source: slipping ends at J1 J2 w0/((J1 + J2) limit) with the speed J1 w0/(J1 + J2); locked the clutch carries J2/(J1 + J2) of the
// engine's torque, and slips again where that reaches the limit.
model clutch "A dry clutch that slips, locks and slips again"
  parameter Real J1(unit = "kg.m2") = 1 "inertia of the engine"; parameter Real J2(unit = "kg.m2") = 2 "inertia of the load";
  parameter Real limit(unit = "N.m", min = 0) = 10 "torque that the clutch carries";
  parameter Real rising(unit = "N.m/s") = 10 "of the engine's torque";
  parameter Real begins(unit = "s") = 2 "when the engine pulls";
  Real w1(start = 30, fixed = true, unit = "rad/s") "engine"; Real w2(start = 0, fixed = true, unit = "rad/s") "load";
  Real tau(unit = "N.m") "torque in the clutch";
  Real engine(unit = "N.m") "torque of the engine";
  Boolean locked "whether both turn alike";
  Integer side(start = 1) "1 where the engine is faster, -1 where the load is";
equation
  engine = if time < begins then 0 else rising*(time - begins);
  J1*der(w1) = engine - tau;
  J2*der(w2) = tau;
  0 = if locked then J1*(der(w1) - der(w2)) else tau - side*limit;
  when side*(w1 - w2) < 0 and not pre(locked) then
    locked = true;
    reinit(w1, w2);
  elsewhen pre(locked) and (tau > limit or tau < -limit) then
    locked = false;
    side = if tau > 0 then 1 else -1;
    reinit(w1, w2);
  end when;
  annotation(experiment(StopTime = 6));
end clutch;
