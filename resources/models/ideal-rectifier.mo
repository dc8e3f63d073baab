// A source charges a capacitor through an ideal diode: no voltage where it conducts, no current where it does not. The diode that
// conducts ties the capacitor to the source, and the index is 2; the one that blocks leaves it free, and the index is 1. It teaches
// that the index belongs to a mode. The curve of the diode has a parameter s: its current in ampere where s > 0, its voltage in volt where s < 0.
// Source: between the events the voltage is a sine and an exponential; tests/problems/test_event_equations.cpp has them.
model ideal_rectifier "A rectifier with an ideal diode"
  parameter Real A(unit = "V") = 10 "amplitude"; parameter Real f(unit = "Hz") = 50 "frequency";
  parameter Real R(unit = "Ohm") = 100 "load"; parameter Real C(unit = "F") = 1e-3 "capacity";
  Real u(start = 0, fixed = true, unit = "V", nominal = 10) "of the capacitor"; Real source(unit = "V", nominal = 10);
  Real drop(unit = "V", nominal = 10) "of the diode"; Real i(unit = "A", nominal = 3) "through the diode";
  Real s(nominal = 10) "along the curve of the diode";
  output Boolean blocks;
equation
  source = A*sin(2*pi*f*time);
  drop = source - u;
  blocks = s < 0;
  drop = s*(if blocks then 1 else 0);
  i = s*(if blocks then 0 else 1);
  C*der(u) = i - u/R;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
end ideal_rectifier;
