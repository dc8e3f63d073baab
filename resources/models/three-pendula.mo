// Index seven, six degrees of freedom; after J. D. Pryce (2001).
model three_pendula "Pendula in a row: the tension in one rod sets the length of the next"
  parameter Real g = 9.81; parameter Real L = 1; parameter Real c = 0.1;
  Real x(start = 0.6); Real y(start = 0.8); Real lambda(start = 1);
  Real u(start = 0.6); Real v(start = 0.8); Real kappa(start = 1);
  Real p(start = 0.6); Real q(start = 0.8); Real mu(start = 1);
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda - g = 0;
  x^2 + y^2 = L^2;
  der(u, 2) + u*kappa = 0;
  der(v, 2) + v*kappa - g = 0;
  u^2 + v^2 = (L + c*lambda)^2;
  der(p, 2) + p*mu = 0;
  der(q, 2) + q*mu - g = 0;
  p^2 + q^2 = (L + c*kappa)^2;
  annotation(__Driftless(scene(pin(0, 0), rod(0, 0, x, -y), point(x, -y), pin(3, 0), rod(3, 0, 3 + u, -v), point(3 + u, -v),
    pin(6, 0), rod(6, 0, 6 + p, -q), point(6 + p, -q))));
end three_pendula;
