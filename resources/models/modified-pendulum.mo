// A pendulum rewritten so that structure alone cannot see its index: the counts promise four degrees of freedom, it has two.
// From the tests of OptMist-Tokyo/DAEPreprocessingToolbox.
model modified_pendulum "Pendulum behind a nonlinear change of variables"
  parameter Real g = 9.81;
  Real x1(start = 0.5); Real x2(start = 0.9); Real x3(start = 1.2); Real x4; Real x5;
equation
  der(x4) = x1*x2*cos(x3);
  der(x5) = x2^2*cos(x3)*sin(x3) - g;
  x1^2 + x2^2*sin(x3)^2 = 1;
  tanh(der(x1) - x4) = 0;
  der(x2)*sin(x3) + x2*der(x3)*cos(x3) = x5;
end modified_pendulum;
