// Car axis on a bumpy road, Test Set for IVP Solvers, report 40/2003, II-17: constraints that depend on time, index three.
model car_axis_equations "Car axis"
  parameter Real L = 1; parameter Real L0 = 0.5; parameter Real k = 5e-4 "M eps^2 / 2"; parameter Real r = 0.1; parameter Real omega = 10; parameter Real g = 1;
  Real xl(start = 0); Real yl(start = 0.5); Real xr(start = 1); Real yr(start = 0.5); Real lambda1; Real lambda2;
equation
  k*der(xl, 2) = (L0 - sqrt(xl^2 + yl^2))*xl/sqrt(xl^2 + yl^2) + lambda1*sqrt(L^2 - (r*sin(omega*time))^2) + 2*lambda2*(xl - xr);
  k*der(yl, 2) = (L0 - sqrt(xl^2 + yl^2))*yl/sqrt(xl^2 + yl^2) + lambda1*r*sin(omega*time) + 2*lambda2*(yl - yr) - k*g;
  k*der(xr, 2) = (L0 - sqrt((xr - sqrt(L^2 - (r*sin(omega*time))^2))^2 + (yr - r*sin(omega*time))^2))
    *(xr - sqrt(L^2 - (r*sin(omega*time))^2))/sqrt((xr - sqrt(L^2 - (r*sin(omega*time))^2))^2 + (yr - r*sin(omega*time))^2) - 2*lambda2*(xl - xr);
  k*der(yr, 2) = (L0 - sqrt((xr - sqrt(L^2 - (r*sin(omega*time))^2))^2 + (yr - r*sin(omega*time))^2))
    *(yr - r*sin(omega*time))/sqrt((xr - sqrt(L^2 - (r*sin(omega*time))^2))^2 + (yr - r*sin(omega*time))^2) - 2*lambda2*(yl - yr) - k*g;
  xl*sqrt(L^2 - (r*sin(omega*time))^2) + yl*r*sin(omega*time) = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  annotation(__Driftless(scene(rod(xl, yl, xr, yr), point(xl, yl), point(xr, yr), spring(0, 0, xl, yl),
    spring(sqrt(L^2 - (r*sin(omega*time))^2), r*sin(omega*time), xr, yr))));
end car_axis_equations;
