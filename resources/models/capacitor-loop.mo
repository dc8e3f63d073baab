// One voltage source feeds three branches: a capacitor alone (a loop of capacitor and source: index two), a capacitor behind a
// resistor (index one), and a coil. A second source drives its current through another coil (a cutset of coil and current
// source: index two). A small ripple on both sources shows which branch differentiates it.
model capacitor_loop "Loop of capacitor and source, and what a resistor changes"
  parameter Real U(unit = "V") = 10; parameter Real I(unit = "A") = 1 "amplitudes of the sources";
  parameter Real w(unit = "rad/s") = 1 "their frequency";
  parameter Real ripple = 1e-3 "relative size of the ripple"; parameter Real n(unit = "rad/s") = 100 "frequency of the ripple";
  parameter Real R(unit = "Ohm") = 1; parameter Real C(unit = "F") = 0.1; parameter Real L(unit = "H") = 1;
  Real u(unit = "V") "voltage of the source";
  Real iLoop(unit = "A") "current into the capacitor alone";
  Real uC(unit = "V") "voltage of the capacitor behind the resistor"; Real iR(unit = "A") "current through the resistor";
  Real iL(unit = "A", start = 0, fixed = true) "current through the coil";
  Real j(unit = "A") "current of the second source"; Real uCut(unit = "V") "voltage across the coil in its path";
equation
  u = U*(sin(w*time) + ripple*sin(n*time)) "voltage source";
  iLoop = C*der(u) "capacitor alone";
  u = R*iR + uC "resistor and capacitor";
  iR = C*der(uC);
  L*der(iL) = u "coil at the voltage source";
  j = I*(sin(w*time) + ripple*sin(n*time)) "current source";
  uCut = L*der(j) "coil in its path";
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end capacitor_loop;
