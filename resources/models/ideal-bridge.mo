// Four ideal diodes in a bridge. The lower two conduct in turn, by the sign of the source; the upper two tie the capacitor to the source
// while one of them conducts (index 2), and leave it free where both block (index 1).
// Source: the load is charged by the absolute value of the source; between the events its voltage is a sine and an exponential, see
// tests/problems/test_event_equations.cpp.
model ideal_bridge "A bridge of four ideal diodes"
  parameter Real A(unit = "V") = 10 "amplitude"; parameter Real f(unit = "Hz") = 50 "frequency";
  parameter Real R(unit = "Ohm") = 100 "load"; parameter Real C(unit = "F") = 1e-3 "capacity";
  Real u(start = 10, fixed = true, unit = "V", nominal = 10) "of the capacitor"; Real source(unit = "V", nominal = 10);
  Real a(unit = "V", nominal = 10) "one end of the source"; Real b(unit = "V", nominal = 10) "the other end";
  Real i(unit = "A", nominal = 3) "of the source";
  Real i1(unit = "A", nominal = 3) "from a to the load"; Real i2(unit = "A", nominal = 3) "from b to the load";
  Real i3(unit = "A", nominal = 3) "from the ground to a"; Real i4(unit = "A", nominal = 3) "from the ground to b";
  Real s1(nominal = 10); Real s2(start = -1, nominal = 10);
  Boolean first "the first upper diode blocks"; Boolean second(start = true) "the second one does"; Boolean positive(start = true);
equation
  source = A*cos(2*pi*f*time);
  a - b = source;
  first = s1 < 0;
  a - u = s1*(if first then 1 else 0);
  i1 = s1*(if first then 0 else 1);
  second = s2 < 0;
  b - u = s2*(if second then 1 else 0);
  i2 = s2*(if second then 0 else 1);
  positive = A*cos(2*pi*f*time) > 0;
  if positive then b = 0; i3 = 0; else a = 0; i4 = 0; end if;
  i + i3 = i1;
  i4 = i + i2;
  C*der(u) = i1 + i2 - u/R;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
end ideal_bridge;
