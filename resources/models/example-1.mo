// Linear problem whose index reduction needs three stages; [MS91] Examples 1 and 2.
// Any functions of time serve as u1 ... u4.
model example_1 "Linear index-reduction example with two blocks, nine equations, six after removing superfluous ones"
  Real x1; Real x2; Real x3; Real x4;
equation
  x1 + x2 + sin(time) = 0 "a";
  x1 + x2 + x3 + cos(time) = 0 "b";
  x1 + x4 + time = 0 "c";
  2*der(x1, 2) + der(x2, 2) + der(x3, 2) + der(x4) + exp(-time) = 0 "d";
end example_1;
