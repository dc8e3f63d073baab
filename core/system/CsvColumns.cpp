#include "core/system/CsvColumns.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

/// A cell with its place in the line.
struct Cell {
    std::string_view text;
    int column = 1;
};

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

void cellsOf(std::string_view line, std::vector<Cell>& out)
{
    out.clear();
    for (std::size_t at = 0;;) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        const std::string_view text = trimmed(line.substr(at, end - at));
        const std::size_t begin = text.empty() ? at : static_cast<std::size_t>(text.data() - line.data());
        out.push_back({text, static_cast<int>(begin) + 1});
        if (end == line.size())
            return;
        at = end + 1;
    }
}

/// "force [N]"
CsvColumn headingOf(std::string_view cell)
{
    CsvColumn out;
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
        cell = trimmed(cell.substr(1, cell.size() - 2));
    const std::size_t open = cell.find('[');
    if (open == std::string_view::npos || cell.back() != ']') {
        out.name = cell;
        return out;
    }
    out.name = trimmed(cell.substr(0, open));
    out.unit = trimmed(cell.substr(open + 1, cell.size() - open - 2));
    return out;
}

/// Programs of measuring write a plus in front of a number, too.
std::optional<double> numberIn(std::string_view cell)
{
    if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-' && cell[1] != '+')
        cell.remove_prefix(1);
    return text::readNumber(cell);
}

class CsvReader {
public:
    CsvReader(std::string_view text, const std::string& file, const CsvPurpose& purpose)
        : text_(text), file_(file), purpose_(purpose)
    {
    }

    Result<CsvColumns> read()
    {
        std::vector<Cell> cells;
        while (at_ < text_.size()) {
            const std::string_view line = nextLine();
            if (trimmed(line).empty() || trimmed(line).front() == '#')
                continue;
            cellsOf(line, cells);
            if (auto taken = out_.columns.empty() ? readHeader(cells) : readRow(cells); !taken)
                return taken.error();
        }
        if (out_.columns.empty())
            return refused(1, "The file has no header", "", "begin it with a line such as t [s], " + purpose_.example);
        return std::move(out_);
    }

private:
    /// Lines end as on any system.
    std::string_view nextLine()
    {
        const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
        const std::string_view line = text_.substr(at_, end - at_);
        at_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
        ++line_;
        return line;
    }
    SourcePosition here(int column) const { return {file_, std::max(line_, 1), column}; }
    Diagnostic refused(int column, std::string what, std::string why, std::string remedy) const
    {
        return {std::move(what), {}, std::move(why), std::move(remedy), here(column)};
    }
    Diagnostic separatedOtherwise(const Cell& cell) const
    {
        return refused(cell.column, "The columns are separated by semicolons", "a comma ends a column here",
                       "separate the columns by commas, and write numbers with a point");
    }
    static bool hasSemicolon(const std::vector<Cell>& cells)
    {
        return std::ranges::any_of(cells, [](const Cell& c) { return c.text.find(';') != std::string_view::npos; });
    }

    Result<void> readRow(const std::vector<Cell>& cells)
    {
        if (hasSemicolon(cells))
            return separatedOtherwise(cells.front());
        if (cells.size() != out_.columns.size() + 1)
            return refused(1, "The line has " + std::to_string(cells.size()) + " cells",
                           "the header has " + std::to_string(out_.columns.size() + 1),
                           "write one number for each column, with a point");
        if (out_.t.size() >= purpose_.rows)
            return refused(1, "The table is too long", "at most " + std::to_string(purpose_.rows) + " rows are read",
                           "leave out rows that lie on a line between others");
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (k > 0 && !isRead(out_.columns[k - 1]))
                continue;
            const auto number = numberIn(cells[k].text);
            if (!number || !std::isfinite(*number))
                return refused(cells[k].column, "\"" + text::shortened(std::string(cells[k].text)) + "\" is not a number",
                               "a cell holds a finite number with a point", "write a number, such as 0.25");
            (k == 0 ? out_.t : out_.columns[k - 1].numbers).push_back(*number);
        }
        out_.places.push_back(here(1));
        return {};
    }

    bool isRead(const CsvColumn& column) const { return purpose_.column.empty() || column.name == purpose_.column; }

    Result<void> readHeader(const std::vector<Cell>& cells)
    {
        if (hasSemicolon(cells) && cells.size() < 2)
            return separatedOtherwise(cells.front());
        if (cells.size() < 2)
            return refused(1, "The file has one column",
                           "the first column is the time, the others are " + std::string(purpose_.what),
                           "separate the columns by commas");
        if (cells.size() > budget::kInputColumns)
            return refused(1, "The file has too many columns", "at most " + std::to_string(budget::kInputColumns) + " are read",
                           "");
        if (numberIn(cells.front().text))
            return refused(1, "The file has no header", "its first line holds numbers",
                           "begin it with a line such as t [s], " + purpose_.example);
        if (const CsvColumn time = headingOf(cells.front().text); !time.unit.empty() && time.unit != "s")
            return refused(cells.front().column, "The unit of the time is \"" + text::shortened(time.unit) + "\"",
                           "times are in seconds", "write t [s], and the times in seconds");
        for (std::size_t k = 1; k < cells.size(); ++k) {
            CsvColumn column = headingOf(cells[k].text);
            column.position = here(cells[k].column);
            if (std::ranges::find(out_.columns, column.name, &CsvColumn::name) != out_.columns.end())
                return refused(cells[k].column, "Two columns are called \"" + text::shortened(column.name) + "\"", "",
                               "choose another name for one of them");
            out_.columns.push_back(std::move(column));
        }
        if (std::ranges::any_of(out_.columns, [this](const CsvColumn& c) { return isRead(c); }))
            return {};
        std::vector<std::string> names;
        for (const CsvColumn& column : out_.columns)
            names.push_back(column.name);
        const std::string near = text::nearestName(purpose_.column, names);
        return refused(1, "The file has no column \"" + text::shortened(purpose_.column) + "\"",
                       "its columns are " + text::firstOf(names),
                       near.empty() ? "name one of these: column = \"...\"" : "did you mean \"" + near + "\"?");
    }

    std::string_view text_;
    const std::string& file_;
    const CsvPurpose& purpose_;
    CsvColumns out_;
    std::size_t at_ = 0;
    int line_ = 0;
};

} // namespace

Result<CsvColumns> readCsvColumns(std::string_view text, const std::string& file, const CsvPurpose& purpose)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    if (text.find('\0') != std::string_view::npos)
        return Diagnostic{"The file is not text", {}, "it holds a zero byte", "a CSV file: names, then numbers", {file, 1, 1}};
    return CsvReader(text, file, purpose).read();
}

} // namespace driftless::model
