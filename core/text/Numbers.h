// Numbers to text and back. There are few meanings, and each has one function:
//
//   exact      the shortest digits that read back as the same number: files, keys, comparisons
//   rounded    so many significant digits, for people; seventeen where a table has to keep every bit
//   fixed      so many digits behind the point, for columns
//   scientific one digit before the point, so many behind it, and a power of ten
//   csvNumber  as exact; an empty cell where there is no number
//   tomlFloat  as exact, and always a number with a point or a power, which TOML does not read as a whole number
//
// All of them write a point, whatever the language of the system is, and "inf", "-inf" and "nan" where there is no number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace driftless::text {

std::string exact(double value);
/// As "%.*g" of C; digits from 1 to 40.
std::string rounded(double value, int digits = 6);
/// As "%.*f" of C; decimals from 0 to 40.
std::string fixed(double value, int decimals);
/// As "%.*e" of C; decimals from 0 to 40.
std::string scientific(double value, int decimals);
std::string csvNumber(double value);
std::string tomlFloat(double value);

/// The number that the whole text is, with a point and an optional power of ten; "inf" and "nan" count. Nothing for other
/// texts, blanks included, and for numbers that fit into no double.
std::optional<double> readNumber(std::string_view text);

} // namespace driftless::text
