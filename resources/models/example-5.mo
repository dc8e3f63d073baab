// Solvable, but singular in the highest derivatives wherever one looks; [MS91] Example 5, after Brenan, Campbell, Petzold.
model example_5 "Structurally sound, numerically singular: eliminate and restart"
  Real x(start = 1); Real y(start = 0);
equation
  der(x) + time*der(y) = sin(time);
  x + time*y = cos(time);
end example_5;
