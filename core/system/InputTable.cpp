#include "core/system/InputTable.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/RegularFile.h"

namespace driftless::model {

namespace {

using expr::Expr;

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

std::vector<Cell> cellsOf(std::string_view line)
{
    std::vector<Cell> out;
    for (std::size_t at = 0;;) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        const std::string_view text = trimmed(line.substr(at, end - at));
        const std::size_t begin = text.empty() ? at : static_cast<std::size_t>(text.data() - line.data());
        out.push_back({text, static_cast<int>(begin) + 1});
        if (end == line.size())
            return out;
        at = end + 1;
    }
}

/// "force [N]"
struct Heading {
    std::string name, unit;
};

Heading headingOf(std::string_view cell)
{
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
        cell = trimmed(cell.substr(1, cell.size() - 2));
    const std::size_t open = cell.find('[');
    if (open == std::string_view::npos || cell.back() != ']')
        return {std::string(cell), {}};
    return {std::string(trimmed(cell.substr(0, open))), std::string(trimmed(cell.substr(open + 1, cell.size() - open - 2)))};
}

class CsvReader {
public:
    CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Result<InputTable> read(const std::string& column)
    {
        InputTable out;
        std::vector<SourcePosition> places;
        std::size_t width = 0, wanted = 0;
        while (at_ < text_.size()) {
            const std::string_view line = nextLine();
            if (trimmed(line).empty() || trimmed(line).front() == '#')
                continue;
            const std::vector<Cell> cells = cellsOf(line);
            if (width == 0) {
                auto found = readHeader(cells, column, out.unit);
                if (!found)
                    return found.error();
                wanted = *found;
                width = cells.size();
                continue;
            }
            if (cells.size() != width)
                return refused(1, "The line has " + std::to_string(cells.size()) + " cells",
                               "the header has " + std::to_string(width), "write one number for each column");
            if (out.t.size() >= budget::kInputRows)
                return refused(1, "The table is too long", "at most " + std::to_string(budget::kInputRows) + " rows are read",
                               "leave out rows that lie on a line between others");
            for (const std::size_t k : {std::size_t{0}, wanted}) {
                const auto number = text::readNumber(cells[k].text);
                if (!number || !std::isfinite(*number))
                    return refused(cells[k].column, "\"" + text::shortened(std::string(cells[k].text)) + "\" is not a number",
                                   "a cell holds a finite number with a point", "write a number, such as 0.25");
                (k == 0 ? out.t : out.u).push_back(*number);
            }
            places.push_back(here(1));
        }
        if (width == 0)
            return refused(1, "The file has no header", "", "begin it with a line such as t [s], " + column + " [N]");
        if (auto sound = checkTable(out, [&](std::size_t k) { return k < places.size() ? places[k] : here(1); }); !sound)
            return sound.error();
        return out;
    }

private:
    std::string_view nextLine()
    {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view line = text_.substr(at_, end - at_);
        at_ = end + 1;
        ++line_;
        return line;
    }
    SourcePosition here(int column) const { return {file_, std::max(line_, 1), column}; }
    Diagnostic refused(int column, std::string what, std::string why, std::string remedy) const
    {
        return {std::move(what), {}, std::move(why), std::move(remedy), here(column)};
    }

    Result<std::size_t> readHeader(const std::vector<Cell>& cells, const std::string& column, std::string& unit) const
    {
        if (cells.size() < 2)
            return refused(1, "The file has one column", "the first column is the time, the others are inputs",
                           "separate the columns by commas");
        if (cells.size() > budget::kInputColumns)
            return refused(1, "The file has too many columns", "at most " + std::to_string(budget::kInputColumns) + " are read",
                           "");
        const Heading time = headingOf(cells.front().text);
        if (text::readNumber(cells.front().text))
            return refused(1, "The file has no header", "its first line holds numbers",
                           "begin it with a line such as t [s], " + column + " [N]");
        if (!time.unit.empty() && time.unit != "s")
            return refused(cells.front().column, "The unit of the time is \"" + text::shortened(time.unit) + "\"",
                           "times are in seconds", "write t [s], and the times in seconds");
        std::vector<std::string> names;
        std::size_t wanted = 0;
        for (std::size_t k = 1; k < cells.size(); ++k) {
            const Heading heading = headingOf(cells[k].text);
            if (std::ranges::find(names, heading.name) != names.end())
                return refused(cells[k].column, "Two columns are called \"" + text::shortened(heading.name) + "\"", "",
                               "choose another name for one of them");
            names.push_back(heading.name);
            if (heading.name == column) {
                wanted = k;
                unit = heading.unit;
            }
        }
        if (wanted > 0)
            return wanted;
        const std::string near = text::nearestName(column, names);
        return refused(1, "The file has no column \"" + text::shortened(column) + "\"",
                       "its columns are " + text::firstOf(names),
                       near.empty() ? "name one of these: column = \"...\"" : "did you mean \"" + near + "\"?");
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    int line_ = 0;
};

/// c0 + c1 s + c2 s^2 + c3 s^3 with s = t - from, up to `end`.
struct Piece {
    double end = 0;
    double from = 0;
    double c[4] = {};
};

/// Second derivatives of the natural spline at its rows: a tridiagonal system, diagonally dominant, solved without pivots.
std::vector<double> bendings(const InputTable& table)
{
    const std::size_t n = table.t.size();
    std::vector<double> bend(n, 0), diagonal(n, 1), right(n, 0), upper(n, 0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double h0 = table.t[k] - table.t[k - 1], h1 = table.t[k + 1] - table.t[k];
        const double lower = k > 1 ? h0 : 0, factor = lower / diagonal[k - 1];
        upper[k] = k + 2 < n ? h1 : 0;
        diagonal[k] = 2 * (h0 + h1) - factor * upper[k - 1];
        right[k] = 6 * ((table.u[k + 1] - table.u[k]) / h1 - (table.u[k] - table.u[k - 1]) / h0) - factor * right[k - 1];
    }
    for (std::size_t k = n - 1; k-- > 1;)
        bend[k] = (right[k] - upper[k] * bend[k + 1]) / diagonal[k];
    return bend;
}

Piece pieceOf(const InputTable& table, std::size_t k, Between between, const std::vector<double>& bend)
{
    Piece out{.end = table.t[k + 1], .from = table.t[k], .c = {table.u[k]}};
    const double h = table.t[k + 1] - table.t[k], slope = (table.u[k + 1] - table.u[k]) / h;
    if (between == Between::Linear)
        out.c[1] = slope;
    if (between == Between::Spline) {
        out.c[1] = slope - h * (2 * bend[k] + bend[k + 1]) / 6;
        out.c[2] = bend[k] / 2;
        out.c[3] = (bend[k + 1] - bend[k]) / (6 * h);
    }
    return out;
}

/// In their order; the first holds from minus infinity, the last to infinity. What ends before the run begins is left out.
std::vector<Piece> piecesOf(const InputTable& table, Between between)
{
    const std::vector<double> bend = between == Between::Spline ? bendings(table) : std::vector<double>();
    std::vector<Piece> out;
    const auto add = [&out](const Piece& piece) {
        if (piece.end > 0)
            out.push_back(piece);
    };
    if (between != Between::Held) // there the first row's value holds before it anyway
        add({.end = table.t.front(), .from = table.t.front(), .c = {table.u.front()}});
    for (std::size_t k = 0; k + 1 < table.t.size(); ++k)
        add(pieceOf(table, k, between, bend));
    out.push_back({.end = std::numeric_limits<double>::infinity(), .from = table.t.back(), .c = {table.u.back()}});
    return out;
}

Expr polynomial(const Piece& piece)
{
    int degree = 3;
    while (degree > 0 && piece.c[degree] == 0)
        --degree;
    Expr out(piece.c[degree]);
    const Expr s = expr::time() - Expr(piece.from);
    for (int k = degree - 1; k >= 0; --k)
        out = Expr(piece.c[k]) + s * out;
    return out;
}

/// A tree of decisions, as deep as the logarithm of their number; recursion is bounded by that.
Expr decide(const std::vector<Piece>& pieces, std::size_t first, std::size_t last)
{
    if (first == last)
        return polynomial(pieces[first]);
    const std::size_t middle = first + (last - first) / 2;
    return expr::ifThenElse(expr::lessEqual(expr::time(), Expr(pieces[middle].end)), decide(pieces, first, middle),
                            decide(pieces, middle + 1, last));
}

} // namespace

std::optional<Between> findBetween(std::string_view word)
{
    if (word == "held")
        return Between::Held;
    if (word == "linear")
        return Between::Linear;
    return word == "spline" ? std::optional(Between::Spline) : std::nullopt;
}

Result<void> checkTable(const InputTable& table, const std::function<SourcePosition(std::size_t)>& row)
{
    if (table.t.size() < 2)
        return Diagnostic{"The table has " + std::string(table.t.empty() ? "no rows" : "one row"),
                          {},
                          "it needs two at least: times and values",
                          "add rows; a constant input is written as a number",
                          row(table.t.size())};
    for (std::size_t k = 1; k < table.t.size(); ++k)
        if (!(table.t[k] > table.t[k - 1]))
            return Diagnostic{"The times do not increase",
                              {},
                              text::rounded(table.t[k]) + " s follows " + text::rounded(table.t[k - 1]) + " s",
                              "sort the rows by time; a jump of an input is written with between = \"held\"",
                              row(k)};
    return {};
}

Result<InputTable> readInputCsv(std::string_view text, const std::string& file, const std::string& column)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    if (text.find('\0') != std::string_view::npos)
        return Diagnostic{"The file is not text", {}, "it holds a zero byte", "a CSV file: names, then numbers", {file, 1, 1}};
    return CsvReader(text, file).read(column);
}

Result<InputTable> openInputCsv(const std::string& name, const std::string& model, const std::string& column,
                                const SourcePosition& stated)
{
    const bool plain =
        !name.empty() && name != "." && name != ".." && name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
    if (!plain)
        return Diagnostic{"\"" + text::shortened(name) + "\" is not the name of a file beside the model",
                          {},
                          "a model reads tables from its own folder alone",
                          "put the file beside the model and write its name",
                          stated};
    const std::string path = (std::filesystem::path(model).parent_path() / name).string();
    const auto text = readRegularFile(path, budget::kInputBytes);
    if (!text) {
        Diagnostic d = text.error();
        d.position = stated;
        if (d.where.empty())
            d.where = path;
        return d;
    }
    auto table = readInputCsv(*text, path, column);
    if (table)
        table->text = *text;
    return table;
}

expr::Expr inputExpression(const InputTable& table, Between between)
{
    const std::vector<Piece> pieces = piecesOf(table, between);
    return decide(pieces, 0, pieces.size() - 1);
}

std::vector<double> cornersOf(const InputTable& table, Between between)
{
    std::vector<double> out;
    if (between == Between::Spline) { // smooth inside: kinks at its ends alone
        addCorners({table.t.front(), table.t.back()}, out);
        return out;
    }
    std::vector<double> found;
    for (std::size_t k = 0; k < table.t.size(); ++k) {
        const double before = k == 0 ? 0 : table.u[k] - table.u[k - 1];
        const double after = k + 1 == table.t.size() ? 0 : table.u[k + 1] - table.u[k];
        const bool jumps = between == Between::Held && before != 0;
        const double left = k == 0 ? 0 : before / (table.t[k] - table.t[k - 1]);
        const double right = k + 1 == table.t.size() ? 0 : after / (table.t[k + 1] - table.t[k]);
        if (jumps || (between == Between::Linear && left != right))
            found.push_back(table.t[k]);
    }
    addCorners(found, out);
    return out;
}

void addCorners(const std::vector<double>& more, std::vector<double>& corners)
{
    for (const double t : more)
        if (t > 0)
            corners.push_back(t);
    std::ranges::sort(corners);
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
}

} // namespace driftless::model
