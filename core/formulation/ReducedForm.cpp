// A general DAE after index reduction by dummy derivatives, blockwise ([MS91] section 3): every equation with its derivatives,
// and links der(x^(k)) = x^(k+1) for the derivatives that are no dummies.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/formulation/Forms.h"
#include "core/reduction/DummyChooser.h"
#include "core/reduction/EquationAnalysis.h"

namespace driftless::formulation {
namespace {

/// By the number of differentiations; the last from there on.
constexpr Provenance kDifferentiated[]{Provenance::Stated, Provenance::DifferentiatedOnce, Provenance::DifferentiatedTwice,
                                       Provenance::DifferentiatedThrice};

/// "eq1 - eq2' in place of eq1"; of one that was replaced more than once, by what last.
std::string inPlaceOf(const std::string& equation, const std::vector<reduction::Elimination>& eliminations)
{
    std::string by;
    for (const reduction::Elimination& e : eliminations)
        if (e.equation == equation)
            by = e.combination;
    return by + " in place of " + equation;
}

} // namespace

Dae reducedForm(const reduction::Reduced& r, const std::string& id)
{
    Dae dae;
    dae.formulation = id;
    dae.index = 1;
    LinkSpec links;
    for (std::size_t j = 0; j < r.first.size(); ++j)
        for (int k = 0; k <= r.highest[j]; ++k) {
            const auto place = static_cast<std::size_t>(r.place(static_cast<int>(j), k));
            const expr::Expr value = expr::symbol(r.symbols[place]);
            const bool highest = k == r.highest[j];
            const expr::Expr next = highest ? expr::Expr(0) : expr::symbol(r.symbols[place + 1]);
            dae.unknowns.push_back({.symbol = r.symbols[place],
                                    .name = r.names[place],
                                    .kind = UnknownKind::Dynamic,
                                    .differential = false,
                                    .start = value,
                                    .startRate = next});
            dae.extra.push_back(value);
            links.highest.push_back(highest);
            links.block.push_back(r.block[j]);
            if (highest)
                continue;
            links.from.push_back(static_cast<int>(place));
            dae.choices.push_back({.residual = expr::rate(r.symbols[place]) - next,
                                   .provenance = Provenance::Link,
                                   .name = "link of " + r.names[place],
                                   .origin = r.names[place],
                                   .link = r.symbols[place]});
        }
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const int level = std::min(r.rowLevel[i], static_cast<int>(std::size(kDifferentiated)) - 1);
        const std::string& equation = r.system.equations[static_cast<std::size_t>(r.rowEquation[i])].name;
        const auto combined = std::ranges::find(r.analysis.eliminations, equation, &reduction::Elimination::equation);
        const bool stands = combined != r.analysis.eliminations.end(); // in place of it
        dae.rows.push_back({.residual = r.rows[i],
                            .provenance = stands && level == 0 ? Provenance::Combined : kDifferentiated[level],
                            .name = r.rowNames[i],
                            .origin = stands ? inPlaceOf(equation, r.analysis.eliminations) : equation});
    }
    links.dummies = reduction::DummyChooser::places(r, r.used->structure.selection);
    dae.links = std::move(links);
    return dae;
}

} // namespace driftless::formulation
