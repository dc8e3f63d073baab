// An exothermic stirred tank whose concentration is prescribed: the coolant temperature has to follow. Index three; the problem is
// that of C. C. Pantelides (1988), with values of our own.
model reactor "Chemical reactor with prescribed concentration"
  parameter Real K1 = 1 "feed rate"; parameter Real K2 = 5 "heat of reaction"; parameter Real K3 = 20 "rate constant";
  parameter Real K4 = 3 "activation temperature"; parameter Real K5 = 1 "heat transfer";
  parameter Real C0 = 1 "feed concentration"; parameter Real T0 = 1 "feed temperature";
  Real C(start = 0.5); Real T(start = 1.2); Real R(start = 0.5); Real Tc(start = 1);
equation
  der(C) = K1*(C0 - C) - R "mass balance";
  der(T) = K1*(T0 - T) + K2*R - K5*(T - Tc) "heat balance";
  R = K3*exp(-K4/T)*C "rate of reaction";
  C = 0.5 + 0.1*sin(time) "prescribed";
end reactor;
