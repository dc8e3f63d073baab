// A general DAE after index reduction by dummy derivatives, blockwise ([MS91] section 3): every equation with its derivatives,
// and links der(x^(k)) = x^(k+1) for the derivatives that are no dummies.
#include "core/formulation/Forms.h"
#include "core/reduction/DummyChooser.h"

namespace driftless::formulation {

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
            dae.unknowns.push_back({r.symbols[place], r.names[place], "", UnknownKind::Dynamic, false, 0, value, next});
            dae.extra.push_back(value);
            links.highest.push_back(highest);
            links.block.push_back(r.block[j]);
            if (highest)
                continue;
            links.from.push_back(static_cast<int>(place));
            dae.choices.push_back({expr::rate(r.symbols[place]) - next, Provenance::Link, "link of " + r.names[place],
                                   r.names[place], -1, r.symbols[place]});
        }
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const int level = r.rowLevel[i];
        const Provenance from = level == 0   ? Provenance::Stated
                                : level == 1 ? Provenance::DifferentiatedOnce
                                : level == 2 ? Provenance::DifferentiatedTwice
                                             : Provenance::DifferentiatedThrice;
        const auto& equation = r.system.equations[static_cast<std::size_t>(r.rowEquation[i])];
        dae.rows.push_back({r.rows[i], from, r.rowNames[i], equation.name});
    }
    links.dummies = reduction::DummyChooser::places(r, r.used->structure.selection);
    dae.links = std::move(links);
    dae.enforces = {true, true, true};
    return dae;
}

} // namespace driftless::formulation
