// CSV files of inputs: a table that is read has times that increase, and every function between its rows passes through them.
#include <algorithm>
#include <cmath>

#include "core/system/CsvColumns.h"
#include "core/system/InputTable.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

double valueAt(const expr::Expr& e, double t)
{
    return expr::evaluate(e, [t](const expr::Symbol&) { return std::optional<double>(t); })
        .value_or(std::numeric_limits<double>::quiet_NaN());
}

double slopeBefore(const model::InputTable& table, std::size_t row)
{
    return (table.u[row] - table.u[row - 1]) / (table.t[row] - table.t[row - 1]);
}

void checkFunction(const model::InputTable& table, model::Between between, const std::string& text)
{
    constexpr std::size_t kLooked = 40; // rows
    const expr::Expr u = model::inputExpression(table, between);
    double size = 1e-300;
    for (const double value : table.u)
        size = std::max(size, std::abs(value));
    for (std::size_t k = 1; k < std::min(table.t.size(), kLooked); ++k) {
        const double found = valueAt(u, table.t[k]), wanted = table.u[between == model::Between::Held ? k - 1 : k];
        if (table.t[k] <= 0 || !std::isfinite(found)) // before a run begins; numbers whose slopes overflow
            continue;
        if (table.u[k] != table.u[k - 1] && !std::isnormal(slopeBefore(table, k)))
            continue; // from 1e-123 to 0 in 3e291 s: a slope that is no number
        // Three operations on numbers up to the largest value; and a steep line is known as well as t, to its last digit.
        const double steep =
            std::max(std::abs(slopeBefore(table, k)), k + 1 < table.t.size() ? std::abs(slopeBefore(table, k + 1)) : 0);
        const double last = 4 * std::numeric_limits<double>::epsilon() * table.t[k];
        check(std::abs(found - wanted) <= 1e-14 * size + steep * last, "a function passes through its rows", text);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    if (const auto all = model::readCsvColumns(text, "input.csv", {.rows = 200, .what = "data", .column = {}, .example = "x"}))
        for (const model::CsvColumn& column : all->columns)
            check(column.numbers.size() == all->t.size() && all->places.size() == all->t.size(), "a number for each time",
                  std::string(text));
    const auto table = model::readInputCsv(text, "input.csv", "u");
    if (!table) {
        check(table.error().position.line > 0 && table.error().position.column > 0, "a refusal has a place", text);
        return 0;
    }
    check(table->t.size() == table->u.size() && table->t.size() >= 2, "a table has rows", text);
    check(std::ranges::is_sorted(table->t), "times increase", text);
    checkFunction(*table, model::Between::Held, text);
    checkFunction(*table, model::Between::Linear, text);
    for (const auto between : {model::Between::Held, model::Between::Linear, model::Between::Spline}) {
        const auto corners = model::cornersOf(*table, between);
        check(std::ranges::is_sorted(corners) && (corners.empty() || corners.front() > 0), "corners lie behind the start",
              text);
    }
    (void)model::inputExpression(*table, model::Between::Spline);
    return 0;
}
