// Models written in other units: a text whose numbers carry their dimension, and sets of units to write it in.
//
// In the text <9.81|L/T^2> is a number of that dimension in metres, kilograms and seconds; in other units it is multiplied by
// the powers of how many of these make one metre (L), kilogram (M) and second (T).
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace driftless::problems {

struct Units {
    const char* name;
    double L = 1, M = 1, T = 1; ///< new units in a metre, a kilogram, a second
};

struct Dimension {
    int L = 0, M = 0, T = 0;
    double in(const Units& u) const { return std::pow(u.L, L) * std::pow(u.M, M) * std::pow(u.T, T); }
    /// Null for other letters.
    int* powerOf(char letter)
    {
        switch (letter) {
        case 'L':
            return &L;
        case 'M':
            return &M;
        case 'T':
            return &T;
        default:
            return nullptr;
        }
    }
};

/// Neighbours by powers of two of millimetres, micrometres, tonnes, grams, milliseconds and days, and mixtures of them.
inline const std::vector<Units>& binaryUnits()
{
    static const std::vector<Units> units{
        {"about millimetres", 0x1p10, 1, 1},    {"about micrometres", 0x1p20, 1, 1},          {"about tonnes", 1, 0x1p-10, 1},
        {"about grams", 1, 0x1p10, 1},          {"about milliseconds", 1, 1, 0x1p10},         {"about days", 1, 1, 0x1p-16},
        {"about mm, t, s", 0x1p10, 0x1p-10, 1}, {"about km, ug, ms", 0x1p-10, 0x1p30, 0x1p10}};
    return units;
}
inline const std::vector<Units>& decimalUnits()
{
    static const std::vector<Units> units{{"millimetres", 1e3, 1, 1},  {"micrometres", 1e6, 1, 1},
                                          {"tonnes", 1, 1e-3, 1},      {"grams", 1, 1e3, 1},
                                          {"milliseconds", 1, 1, 1e3}, {"inches, pounds", 1 / 0.0254, 1 / 0.45359237, 1},
                                          {"mm, t, s", 1e3, 1e-3, 1},  {"mm, kg, ms", 1e3, 1, 1e3}};
    return units;
}

/// "L/T^2", "M L^2": letters with powers, those behind a slash divide.
inline Dimension dimension(const std::string& text)
{
    Dimension out;
    int sign = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '/')
            sign = -1;
        int* power = out.powerOf(text[i]);
        if (!power)
            continue;
        const bool stated = i + 2 < text.size() && text[i + 1] == '^';
        *power += sign * (stated ? text[i + 2] - '0' : 1);
        i += stated ? 2 : 0;
    }
    return out;
}

inline std::string written(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
}

/// The text in these units.
inline std::string rewritten(const std::string& text, const Units& units)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto bar = text[i] == '<' ? text.find('|', i) : std::string::npos, end = text.find('>', i);
        if (bar == std::string::npos || end == std::string::npos || bar > end) {
            out += text[i];
            continue;
        }
        out += written(std::stod(text.substr(i + 1, bar - i - 1)) * dimension(text.substr(bar + 1, end - bar - 1)).in(units));
        i = end;
    }
    return out;
}

/// A system to be written, and what its formulations need said in its units.
struct Subject {
    const char* name;
    const char* file; ///< its suffix says what kind of text it is
    std::string text;
    double step = 0.01, end = 0.5;                          ///< [s]
    Dimension row;                                          ///< of its constraints, all of one kind
    std::vector<std::pair<std::string, Dimension>> watched; ///< quantities that are compared
};

inline std::vector<Subject> subjects()
{
    const Dimension length{1, 0, 0}, area{2, 0, 0}, speed{1, 0, -1}, none{}, rate{0, 0, -1};
    return {
        {"pendulum",
         ".toml",
         R"toml(format = 1
name = "swinging"
[parameters]
m = <1.3|M>
g = <9.81|L/T^2>
l = <0.8|L>
[[body]]
name = "bob"
kind = "point"
mass = "m"
x = { start = "l" }
y = { start = 0, velocity = <-0.5|L/T> }
[[joint]]
name = "rod"
kind = "rod"
from = "ground"
to = "bob"
length = "l"
[[force]]
kind = "gravity"
acceleration = "g"
[chart]
coordinates = [{ name = "phi", unit = "rad", inverse = "atan2(bob.x, -bob.y)" }]
[chart.map]
bob.x = "l*sin(phi)"
bob.y = "-l*cos(phi)"
[run]
step = <0.01|T>
end = <0.5|T>
)toml",
         0.01,
         0.5,
         area,
         {{"bob.x", length}, {"bob.y", length}, {"bob.x'", speed}, {"bob.y'", speed}}},
        {"four-bar",
         ".toml",
         R"toml(format = 1
name = "linkage"
[parameters]
m1 = <0.4|M>
J2 = <0.0011|M L^2>
m3 = <1.1|M>
J4 = <0.012|M L^2>
m5 = <0.9|M>
J6 = <0.006|M L^2>
a = <0.1|L>
b = <0.3|L>
c = <0.25|L>
d = <0.32|L>
g = <9.81|L/T^2>
[[body]]
name = "crank"
kind = "rigid"
mass = "m1"
inertia = "J2"
x = { start = "a/2" }
angle = { velocity = <6|/T> }
[[body]]
name = "coupler"
kind = "rigid"
mass = "m3"
inertia = "J4"
x = { start = <0.21|L> }
y = { start = <0.1|L> }
angle = { start = 0.75 }
[[body]]
name = "rocker"
kind = "rigid"
mass = "m5"
inertia = "J6"
x = { start = <0.32|L> }
y = { start = <0.12|L> }
angle = { start = 1.5 }
[[joint]]
name = "p1"
kind = "pin"
from = "ground"
to = { body = "crank", at = ["-a/2", 0] }
[[joint]]
name = "p2"
kind = "pin"
from = { body = "crank", at = ["a/2", 0] }
to = { body = "coupler", at = ["-b/2", 0] }
[[joint]]
name = "p3"
kind = "pin"
from = { body = "coupler", at = ["b/2", 0] }
to = { body = "rocker", at = ["c/2", 0] }
[[joint]]
name = "p4"
kind = "pin"
from = { body = "ground", at = ["d", 0] }
to = { body = "rocker", at = ["-c/2", 0] }
[[force]]
kind = "gravity"
acceleration = "g"
[run]
step = <0.005|T>
end = <0.3|T>
)toml",
         0.005,
         0.3,
         length,
         {{"crank.angle", none}, {"coupler.x", length}, {"rocker.angle", none}, {"crank.angle'", rate}, {"coupler.y'", speed}}},
        {"slider-crank",
         ".toml",
         R"toml(format = 1
name = "engine"
[parameters]
m1 = <2.5|M>
J2 = <0.02|M L^2>
m3 = <1.2|M>
J4 = <0.004|M L^2>
m5 = <0.8|M>
J6 = <900|M/T^2>
J7 = <4|M/T>
a = <0.06|L>
b = <0.2|L>
[[body]]
name = "crank"
kind = "rigid"
mass = "m1"
inertia = "J2"
angle = { start = 0.4, velocity = <30|/T> }
[[body]]
name = "rod"
kind = "rigid"
mass = "m3"
inertia = "J4"
x = { start = <0.15|L> }
y = { start = <0.01|L> }
angle = { start = -0.1 }
[[body]]
name = "piston"
kind = "point"
mass = "m5"
x = { start = <0.25|L> }
[[joint]]
name = "main"
kind = "pin"
from = "ground"
to = "crank"
[[joint]]
name = "big"
kind = "pin"
from = { body = "crank", at = ["a", 0] }
to = { body = "rod", at = ["-b/2", 0] }
[[joint]]
name = "small"
kind = "pin"
from = "piston"
to = { body = "rod", at = ["b/2", 0] }
[[joint]]
name = "cylinder"
kind = "slider"
from = "ground"
to = "piston"
[[force]]
kind = "spring-damper"
from = { body = "ground", at = [<0.4|L>, 0] }
to = "piston"
stiffness = "J6"
length = <0.2|L>
damping = "J7"
[run]
step = <0.001|T>
end = <0.1|T>
)toml",
         0.001,
         0.1,
         length,
         {{"crank.angle", none}, {"piston.x", length}, {"rod.angle", none}, {"piston.x'", speed}}},
        {"lagrangian",
         ".toml",
         R"toml(format = 1
name = "bead"
[parameters]
m = <0.5|M>
g = <9.81|L/T^2>
R = <0.7|L>
k = <20|M/T^2>
[[coordinate]]
name = "x"
unit = "m"
start = "R"
velocity = 0
[[coordinate]]
name = "z"
unit = "m"
start = 0
velocity = <7|L/T>
[[coordinate]]
name = "s"
unit = "m"
start = <0.3|L>
velocity = <0.4|L/T>
[lagrangian]
kinetic = "m/2*(x'^2 + z'^2 + s'^2)"
potential = "m*g*z + k/2*(s - x)^2"
[[constraint]]
name = "circle"
holonomic = "x^2 + z^2 - R^2"
[run]
step = <0.005|T>
end = <0.5|T>
)toml",
         0.005,
         0.5,
         area,
         {{"x", length}, {"z", length}, {"s", length}, {"s'", speed}}},
        {"equations",
         ".mo",
         R"toml(model Tank
  parameter Real A = <0.02|L^2>;
  parameter Real B = <0.05|L^2>;
  parameter Real k = <3e6|M/L^4 T>;
  parameter Real c = <4e8|M/L^7>;
  parameter Real r = <9810|M/L^2 T^2>;
  Real h1(start = <1.5|L>, fixed = true, nominal = <1|L>);
  Real h2(start = <0.2|L>, fixed = true, nominal = <1|L>);
  Real p(start = <12753|M/L T^2>, nominal = <1e4|M/L T^2>);
  Real q(start = <0.003|L^3/T>, nominal = <0.003|L^3/T>);
equation
  A*der(h1) = -q;
  B*der(h2) = q;
  p = r*(h1 - h2);
  p = k*q + c*q*q;
  annotation(experiment(StopTime = <20|T>, Tolerance = 1e-7));
end Tank;
)toml",
         0.1,
         20,
         none,
         {{"h1", length}, {"h2", length}}},
    };
}

} // namespace driftless::problems
