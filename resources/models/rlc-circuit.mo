// A resistor-coil-capacitor circuit driven by a voltage source: index two.
model rlc_circuit "Electrical circuit of index two"
  constant Real pi2 = 2*3.141592653589793;
  parameter Real R1(unit = "Ohm") = 10; parameter Real R2(unit = "Ohm") = 100;
  parameter Real L(unit = "H") = 0.1; parameter Real C(unit = "F") = 0.01;
  parameter Real omega(unit = "rad/s") = 50*pi2;
  Real u0(unit = "V"); Real v1(unit = "V"); Real v2(unit = "V"); Real vL(unit = "V"); Real vC(unit = "V");
  Real i0(unit = "A"); Real i1(unit = "A"); Real i2(unit = "A"); Real iC(unit = "A"); Real iL(unit = "A");
equation
  u0 = 220*sin(omega*time);
  v1 = R1*i1;
  v2 = R2*i2;
  vL = L*der(iL);
  iC = C*der(vC);
  u0 = v1 + vL;
  vC = v1 + v2;
  vL = v2;
  i0 = i1 + iC;
  i1 = i2 + iL;
end rlc_circuit;
