#include "core/system/InputTable.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/system/CsvColumns.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/RegularFile.h"

namespace driftless::model {

namespace {

using expr::Expr;

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
    for (std::size_t k = 1; k < table.t.size(); ++k) {
        if (!(table.t[k] > table.t[k - 1]))
            return Diagnostic{"The times do not increase",
                              {},
                              text::rounded(table.t[k]) + " s follows " + text::rounded(table.t[k - 1]) + " s",
                              "sort the rows by time; a jump of an input is written with between = \"held\"",
                              row(k)};
        if (const double h = table.t[k] - table.t[k - 1]; !std::isfinite((table.u[k] - table.u[k - 1]) / h))
            return Diagnostic{"The rate between two rows is no finite number",
                              {},
                              text::rounded(table.u[k - 1]) + " becomes " + text::rounded(table.u[k]) + " within "
                                  + text::rounded(h) + " s",
                              "times that are farther apart, or smaller values",
                              row(k)};
    }
    return {};
}

Result<InputTable> readInputCsv(std::string_view text, const std::string& file, const std::string& column)
{
    auto read = readCsvColumns(text, file,
                               {.rows = budget::kInputRows, .what = "inputs", .column = column, .example = column + " [N]"});
    if (!read)
        return read.error();
    const auto wanted = std::ranges::find(read->columns, column, &CsvColumn::name);
    InputTable out{.t = std::move(read->t), .u = std::move(wanted->numbers), .unit = std::move(wanted->unit), .text = {}};
    const auto place = [&](std::size_t k) {
        if (read->places.empty())
            return SourcePosition{file, wanted->position.line, 1};
        return read->places[std::min(k, read->places.size() - 1)];
    };
    if (auto sound = checkTable(out, place); !sound)
        return sound.error();
    return out;
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

namespace {

constexpr double kSeen = 1e-3; // of the range of u

/// The rows without those that a straight line through others passes by less than what is seen (Douglas and Peucker 1973).
InputTable withoutStraightRows(const InputTable& table, double range)
{
    constexpr std::size_t kMostRows = 20'000; // the search may look at all pairs of them
    if (table.t.size() > kMostRows)
        return table;
    std::vector<char> kept(table.t.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, table.t.size() - 1}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        kept[first] = kept[last] = 1;
        const double slope = (table.u[last] - table.u[first]) / (table.t[last] - table.t[first]);
        double most = kSeen * range;
        std::size_t farthest = 0;
        for (std::size_t k = first + 1; k < last; ++k)
            if (const double away = std::abs(table.u[k] - table.u[first] - slope * (table.t[k] - table.t[first]));
                away > most) {
                most = away;
                farthest = k;
            }
        if (farthest > 0)
            open.insert(open.end(), {{first, farthest}, {farthest, last}});
    }
    InputTable out;
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (kept[k]) {
            out.t.push_back(table.t[k]);
            out.u.push_back(table.u[k]);
        }
    return out;
}

/// The ends of short pieces beside a much longer straight one that go another way than that, and the rows beside: a long step
/// may have no stage inside, and would not know of them. The spline rings there, by a quarter from row to row.
std::vector<double> narrowPieces(const InputTable& all)
{
    constexpr double kShorter = 0.25;   // than the longer of both neighbours
    constexpr std::size_t kRinging = 6; // rows: 0.27^6 is less than what is seen
    const auto [least, most] = std::ranges::minmax(all.u);
    const double range = most - least;
    const InputTable table = withoutStraightRows(all, range);
    std::vector<double> out;
    const std::size_t pieces = table.t.size() - 1;
    const auto length = [&](std::size_t k) { return table.t[k + 1] - table.t[k]; };
    const auto slope = [&](std::size_t k) { return (table.u[k + 1] - table.u[k]) / length(k); };
    for (std::size_t k = 0; k < pieces && pieces > 1; ++k) {
        const std::size_t before = k == 0 ? 1 : k - 1, after = k + 1 == pieces ? before : k + 1;
        const std::size_t longer = length(before) > length(after) ? before : after;
        if (length(k) < kShorter * length(longer) && std::abs(slope(k) - slope(longer)) * length(k) > kSeen * range)
            for (const double end : {table.t[k], table.t[k + 1]}) {
                const auto at = static_cast<std::size_t>(std::ranges::lower_bound(all.t, end) - all.t.begin());
                const std::size_t last = std::min(at + kRinging, all.t.size() - 1);
                for (std::size_t row = at - std::min(at, kRinging); row < last;
                     ++row) // halves, too: rows may all be zeros of it
                    out.insert(out.end(), {all.t[row], (all.t[row] + all.t[row + 1]) / 2});
                out.push_back(all.t[last]);
            }
    }
    return out;
}

} // namespace

std::vector<double> cornersOf(const InputTable& table, Between between)
{
    std::vector<double> out;
    if (between == Between::Spline) { // smooth inside: kinks at its ends alone
        addCorners({table.t.front(), table.t.back()}, out);
        addCorners(narrowPieces(table), out);
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

std::vector<double> knotsOf(const InputTable& table, Between between)
{
    std::vector<double> out;
    if (between == Between::Spline)
        addCorners(table.t, out);
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
