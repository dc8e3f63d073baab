// Four diodes in a bridge let the current of a source flow through the load in one direction. Each diode is a small resistance or a small
// conductance. It teaches several conditions that change at one time: two diodes begin to conduct and two cease.
// Source: the bridge is symmetric, so each of its nodes lies half the load's voltage beside half the source's, and one equation is left;
// tests/problems/test_event_equations.cpp has its solution.
model ideal_diode_bridge "A bridge of four diodes"
  parameter Real A(unit = "V") = 10 "amplitude"; parameter Real f(unit = "Hz") = 50 "frequency";
  parameter Real R(unit = "Ohm") = 100 "load"; parameter Real C(unit = "F") = 1e-3 "capacity";
  parameter Real Ron(unit = "Ohm", min = 1e-6) = 0.1 "of a diode where it conducts";
  parameter Real Goff(unit = "S", min = 1e-12) = 1e-6 "of a diode where it does not";
  Real u(start = 0, fixed = true, unit = "V", nominal = 10) "of the capacitor";
  Real a(unit = "V") "one end of the source"; Real b(unit = "V") "the other end"; Real i(unit = "A") "of the source";
  Real i1(unit = "A"); Real i2(unit = "A"); Real i3(unit = "A"); Real i4(unit = "A");
equation
  a - b = A*sin(2*pi*f*time);
  i1 = if a - u > 0 then (a - u)/Ron else Goff*(a - u);
  i2 = if b - u > 0 then (b - u)/Ron else Goff*(b - u);
  i3 = if -a > 0 then -a/Ron else -Goff*a;
  i4 = if -b > 0 then -b/Ron else -Goff*b;
  i + i3 = i1;
  i4 = i + i2;
  C*der(u) = i1 + i2 - u/R;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
end ideal_diode_bridge;
