// A crane with a trolley and a winch whose load has to follow a path: the forces of both drives are the unknowns. The direction of the rope
// follows from the acceleration of the load, the trolley from that direction, and its force from the trolley's acceleration: index five.
model crane "Crane whose load follows a path"
  constant Real g = 9.81;
  parameter Real m(unit = "kg") = 10 "load"; parameter Real mt(unit = "kg") = 20 "trolley"; parameter Real mw(unit = "kg") = 5 "inertia of the winch";
  parameter Real a(unit = "m", min = 0.1, max = 2) = 1 "amplitude of the path"; parameter Real w(unit = "rad/s", min = 0.1, max = 3) = 1 "its frequency";
  parameter Real H(unit = "m") = 3 "depth of the path below the rail";
  Real x(unit = "m", start = 0); Real y(unit = "m", start = -3); Real s(unit = "m", start = 0) "trolley"; Real r(unit = "m", start = 3) "length of the rope";
  Real T(unit = "N", start = 98) "tension"; Real F(unit = "N") "drive of the trolley"; Real W(unit = "N", start = 98) "drive of the winch";
equation
  m*der(x, 2) = -T*(x - s)/r;
  m*der(y, 2) = -T*y/r - m*g;
  mt*der(s, 2) = F + T*(x - s)/r;
  mw*der(r, 2) = T - W;
  (x - s)^2 + y^2 = r^2 "rope";
  x = a*sin(w*time) "path";
  y = -H + 0.2*a*sin(2*w*time) "height";
  annotation(experiment(StopTime = 10, Tolerance = 1e-8), __Driftless(scene(rod(s, 0, x, y), point(x, y), pin(s, 0))));
end crane;
