// Words inside LaTeX: what has a meaning there is escaped, letters and signs that pdflatex does not know by themselves become
// commands.
#pragma once

#include <string>
#include <string_view>

namespace driftless::app {

/// UTF-8 text of one paragraph for the body of a document; control characters become spaces, other signs question marks.
std::string latexWords(std::string_view text);
/// "kg m^2/s" as $\mathrm{kg\,m^{2}/s}$; empty for a number without unit.
std::string latexUnit(std::string_view unit);
/// A number as LaTeX sets it in mathematics: 1.5, 2\cdot 10^{-6}.
std::string latexNumber(double value);

} // namespace driftless::app
