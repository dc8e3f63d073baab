// Text inside other languages: what has a meaning there is escaped, or replaced where the language has no escape.
#pragma once

#include <string>
#include <string_view>

namespace driftless::text {

/// A basic string of TOML in its quotation marks. Control characters become blanks.
std::string tomlString(std::string_view text);
/// A string in quotation marks for languages and files that are read without escapes: marks, backslashes and control characters
/// become blanks.
std::string plainString(std::string_view text);

/// A cell of CSV in quotation marks; marks inside are doubled.
std::string csvQuoted(std::string_view text);
/// As csvQuoted where the text holds a comma, a mark or a line's end, else as it is.
std::string csvCell(std::string_view text);

/// A word of a shell's command line: as it is where nothing in it has a meaning there, else in quotation marks, with control
/// characters as bash, zsh and POSIX 2024 write them.
std::string shellWord(std::string_view text);

/// < > & as entities.
std::string html(std::string_view text);
/// _ { } # $ % & behind backslashes.
std::string latex(std::string_view text);

} // namespace driftless::text
