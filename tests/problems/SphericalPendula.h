// The spherical pendulum twice, with its angles as chart and the angular momentum about the vertical as its symmetry: in space
// coordinates, where M is constant, and in cylinder coordinates, where it depends on r.
#pragma once

namespace driftless::problems {

inline const char* const kSpace = R"toml(
format = 1
name = "space-pendulum"
title = "Spherical pendulum in space coordinates"
[parameters]
m = { value = 1.0, unit = "kg", description = "mass" }
g = { value = 9.81, unit = "m/s^2", description = "gravity" }
L = { value = 1.0, unit = "m", description = "length" }
[[body]]
name = "bob"
kind = "point"
mass = "m"
[[coordinate]]
name = "z"
body = "bob"
mass = "m"
[[constraint]]
name = "rod"
holonomic = "x^2 + y^2 + z^2 - L^2"
bodies = ["ground", "bob"]
[[force]]
kind = "gravity"
acceleration = "g"
[chart]
coordinates = [{ name = "theta", unit = "rad", start = 1.0, inverse = "acos(-bob.y/L)" },
               { name = "psi", unit = "rad", start = 0.0, inverse = "atan2(bob.z, bob.x)" }]
[chart.map]
bob.x = "L*sin(theta)*cos(psi)"
bob.y = "-L*cos(theta)"
bob.z = "L*sin(theta)*sin(psi)"
)toml";

inline const char* const kCylinder = R"toml(
format = 1
name = "cylinder-pendulum"
title = "Spherical pendulum in cylinder coordinates"
[parameters]
m = { value = 1.0, unit = "kg", description = "mass" }
g = { value = 9.81, unit = "m/s^2", description = "gravity" }
L = { value = 1.0, unit = "m", description = "length" }
[[coordinate]]
name = "r"
unit = "m"
start = "L*sin(1)"
[[coordinate]]
name = "psi"
unit = "rad"
start = 0
velocity = 2
[[coordinate]]
name = "y"
unit = "m"
start = "-L*cos(1)"
[lagrangian]
kinetic = "m/2*(r'*r' + r^2*psi'^2 + y'^2)"
potential = "m*g*y"
[[constraint]]
name = "rod"
holonomic = "r^2 + y^2 - L^2"
[chart]
coordinates = [{ name = "theta", unit = "rad", inverse = "atan2(r, -y)" }, { name = "phi", unit = "rad", inverse = "psi" }]
[chart.map]
r = "L*sin(theta)"
psi = "phi"
y = "-L*cos(theta)"
)toml";

} // namespace driftless::problems
