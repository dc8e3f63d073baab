// Two-transistor amplifier, Test Set for IVP Solvers, report 40/2003, II-14. Its capacitors make the leading matrix singular without
// any zero row: structure promises eight degrees of freedom, it has five.
model transistor_amplifier "Transistor amplifier, index one"
  parameter Real Ub(unit = "V") = 6; parameter Real UF(unit = "V") = 0.026; parameter Real alpha = 0.99; parameter Real beta(unit = "A") = 1e-6;
  parameter Real R0(unit = "Ohm") = 1000; parameter Real R(unit = "Ohm") = 9000 "R1 to R9";
  parameter Real C1 = 1e-6; parameter Real C2 = 2e-6; parameter Real C3 = 3e-6; parameter Real C4 = 4e-6; parameter Real C5 = 5e-6;
  parameter Real omega = 200*pi;
  Real U1(start = 0); Real U2(start = 3); Real U3(start = 3); Real U4(start = 6);
  Real U5(start = 3); Real U6(start = 3); Real U7(start = 6); Real U8(start = 0);
equation
  C1*(der(U2) - der(U1)) + (0.1*sin(omega*time) - U1)/R0 = 0;
  C1*(der(U1) - der(U2)) + Ub/R - U2*(1/R + 1/R) + (alpha - 1)*beta*(exp((U2 - U3)/UF) - 1) = 0;
  -C2*der(U3) + beta*(exp((U2 - U3)/UF) - 1) - U3/R = 0;
  -C3*(der(U4) - der(U5)) + (Ub - U4)/R - alpha*beta*(exp((U2 - U3)/UF) - 1) = 0;
  C3*(der(U4) - der(U5)) + Ub/R - U5*(1/R + 1/R) + (alpha - 1)*beta*(exp((U5 - U6)/UF) - 1) = 0;
  -C4*der(U6) + beta*(exp((U5 - U6)/UF) - 1) - U6/R = 0;
  -C5*(der(U7) - der(U8)) + (Ub - U7)/R - alpha*beta*(exp((U5 - U6)/UF) - 1) = 0;
  C5*(der(U7) - der(U8)) - U8/R = 0;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-7));
end transistor_amplifier;
