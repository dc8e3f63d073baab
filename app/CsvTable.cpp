#include "app/CsvTable.h"

#include <charconv>
#include <cmath>

namespace driftless::app {

namespace {

void appendNumber(std::string& out, double value)
{
    if (std::isnan(value))
        return;
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

/// Quoted where a name holds a separator.
std::string quoted(const std::string& name)
{
    if (name.find_first_of(",\"\n") == std::string::npos)
        return name;
    std::string out = "\"";
    for (const char c : name)
        out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

} // namespace

std::string csvOf(const run::RecordingView& recording)
{
    std::string out = "t";
    const int columns = static_cast<int>(recording.columns().size());
    for (const auto& column : recording.columns())
        out += ',' + quoted(column.name);
    out += '\n';
    for (std::uint64_t row = 0; row < recording.rowCount(); ++row) {
        appendNumber(out, recording.time(row));
        for (int column = 0; column < columns; ++column) {
            out += ',';
            appendNumber(out, recording.value(row, column));
        }
        out += '\n';
    }
    return out;
}

} // namespace driftless::app
