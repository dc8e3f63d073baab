#include "core/base/Diagnostic.h"

namespace driftless {

std::string SourcePosition::text() const
{
    std::string out = file;
    if (line > 0) {
        if (!out.empty())
            out += ':';
        out += std::to_string(line);
        if (column > 0)
            out += ':' + std::to_string(column);
    }
    return out;
}

std::string Diagnostic::text() const
{
    std::string out = position.text();
    if (!out.empty())
        out += ": ";
    out += what;
    if (!where.empty())
        out += " (" + where + ")";
    if (!why.empty())
        out += ": " + why;
    if (!remedy.empty())
        out += ". Try: " + remedy;
    return out;
}

} // namespace driftless
