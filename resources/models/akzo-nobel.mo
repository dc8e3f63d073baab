// Chemical Akzo Nobel problem, Test Set for IVP Solvers, report 40/2003, II-12.
model akzo_nobel "Reactions with an equilibrium, index one"
  parameter Real k1 = 18.7; parameter Real k2 = 0.58; parameter Real k3 = 0.09; parameter Real k4 = 0.42; parameter Real K = 34.4;
  parameter Real klA = 3.3; parameter Real Ks = 115.83; parameter Real pCO2 = 0.9; parameter Real H = 737;
  Real y1(start = 0.444, fixed = true); Real y2(start = 0.00123, fixed = true); Real y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true); Real y5(start = 0, fixed = true); Real y6(start = Ks*0.444*0.007);
equation
  der(y1) = -2*k1*y1^4*sqrt(y2) + k2*y3*y4 - k2/K*y1*y5 - k3*y1*y4^2;
  der(y2) = -0.5*k1*y1^4*sqrt(y2) - k3*y1*y4^2 - 0.5*k4*y6^2*sqrt(y2) + klA*(pCO2/H - y2);
  der(y3) = k1*y1^4*sqrt(y2) - k2*y3*y4 + k2/K*y1*y5;
  der(y4) = -k2*y3*y4 + k2/K*y1*y5 - 2*k3*y1*y4^2;
  der(y5) = k2*y3*y4 - k2/K*y1*y5 + k4*y6^2*sqrt(y2);
  Ks*y1*y4 - y6 = 0;
  annotation(experiment(StopTime = 180, Tolerance = 1e-8));
end akzo_nobel;
