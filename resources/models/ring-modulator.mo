// Ring modulator with parasitic capacitances, an ODE; Test Set for IVP Solvers, report 40/2003, II-3.
model ring_modulator "Ring modulator, Cs > 0"
  parameter Real C(unit = "F") = 1.6e-8; parameter Real Cs(unit = "F") = 2e-12; parameter Real Cp(unit = "F") = 1e-8;
  parameter Real Lh(unit = "H") = 4.45; parameter Real Ls1(unit = "H") = 0.002; parameter Real Ls2(unit = "H") = 5e-4; parameter Real Ls3(unit = "H") = 5e-4;
  parameter Real gamma(unit = "A") = 4.067286402e-8; parameter Real R(unit = "Ohm") = 25000; parameter Real Rp(unit = "Ohm") = 50;
  parameter Real Rg1 = 36.3; parameter Real Rg2 = 17.3; parameter Real Rg3 = 17.3; parameter Real Ri = 50; parameter Real Rc = 600;
  parameter Real delta(unit = "1/V") = 17.7493332;
  Real y1; Real y2; Real y3; Real y4; Real y5; Real y6; Real y7; Real y8; Real y9; Real y10; Real y11; Real y12; Real y13; Real y14; Real y15;
equation
  C*der(y1) = y8 - 0.5*y10 + 0.5*y11 + y14 - y1/R;
  C*der(y2) = y9 - 0.5*y12 + 0.5*y13 + y15 - y2/R;
  Cs*der(y3) = y10 - gamma*(exp(delta*(y3 - y5 - y7 - 2*sin(20000*pi*time))) - 1) + gamma*(exp(delta*(-y3 - y6 + y7 + 2*sin(20000*pi*time))) - 1);
  Cs*der(y4) = -y11 + gamma*(exp(delta*(-y4 + y6 - y7 - 2*sin(20000*pi*time))) - 1) - gamma*(exp(delta*(y4 + y5 + y7 + 2*sin(20000*pi*time))) - 1);
  Cs*der(y5) = y12 + gamma*(exp(delta*(y3 - y5 - y7 - 2*sin(20000*pi*time))) - 1) - gamma*(exp(delta*(y4 + y5 + y7 + 2*sin(20000*pi*time))) - 1);
  Cs*der(y6) = -y13 - gamma*(exp(delta*(-y4 + y6 - y7 - 2*sin(20000*pi*time))) - 1) + gamma*(exp(delta*(-y3 - y6 + y7 + 2*sin(20000*pi*time))) - 1);
  Cp*der(y7) = -y7/Rp + gamma*(exp(delta*(y3 - y5 - y7 - 2*sin(20000*pi*time))) - 1) + gamma*(exp(delta*(-y4 + y6 - y7 - 2*sin(20000*pi*time))) - 1) - gamma*(exp(delta*(y4 + y5 + y7 + 2*sin(20000*pi*time))) - 1) - gamma*(exp(delta*(-y3 - y6 + y7 + 2*sin(20000*pi*time))) - 1);
  Lh*der(y8) = -y1;
  Lh*der(y9) = -y2;
  Ls2*der(y10) = 0.5*y1 - y3 - Rg2*y10;
  Ls3*der(y11) = -0.5*y1 + y4 - Rg3*y11;
  Ls2*der(y12) = 0.5*y2 - y5 - Rg2*y12;
  Ls3*der(y13) = -0.5*y2 + y6 - Rg3*y13;
  Ls1*der(y14) = -y1 + 0.5*sin(2000*pi*time) - (Ri + Rg1)*y14;
  Ls1*der(y15) = -y2 - (Rc + Rg1)*y15;
  annotation(experiment(StopTime = 1e-3, Tolerance = 1e-7));
end ring_modulator;
