// A source charges a capacitor through a diode, a resistor discharges it. The diode is a small resistance where it conducts and a small
// conductance where it does not. It teaches events in a circuit: the current begins and ends at exact times.
// Source: between these the voltage is an exponential and a sine; tests/problems/test_event_equations.cpp has them.
model diode_rectifier "A rectifier with one diode"
  parameter Real A(unit = "V") = 10 "amplitude"; parameter Real f(unit = "Hz") = 50 "frequency";
  parameter Real R(unit = "Ohm") = 100 "load"; parameter Real C(unit = "F") = 1e-3 "capacity";
  parameter Real Ron(unit = "Ohm", min = 1e-6) = 0.1 "of the diode where it conducts";
  parameter Real Goff(unit = "S", min = 0) = 1e-6 "of the diode where it does not";
  Real source(unit = "V"); Real u(start = 0, fixed = true, unit = "V", nominal = 10) "of the capacitor";
  Real drop(unit = "V") "of the diode"; Real i(unit = "A") "through the diode";
  output Boolean conducts;
equation
  source = A*sin(2*pi*f*time);
  drop = source - u;
  conducts = A*sin(2*pi*f*time) - u > 0;
  i = if conducts then drop/Ron else Goff*drop;
  C*der(u) = i - u/R;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
end diode_rectifier;
