// The derivation in the order of [DN] 3.1-3.3, as lines of formulas.

#include "core/expr/Size.h"
#include "core/mechanism/Lagrangian.h"
#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Format;

class Writer {
public:
    Writer(const ConstrainedSystem& system, const LagrangianEquations& equations, const SkewCheck& skew, Format format)
        : system_(system), e_(equations), skew_(skew), format_(format)
    {
    }

    std::vector<DerivationSection> write()
    {
        energies();
        massMatrix();
        christoffel();
        skewSymmetry();
        forces();
        constraints();
        equations();
        return std::move(out_);
    }

private:
    /// What nobody could read is not written out.
    std::string text(const Expr& e) const
    {
        constexpr double kMostWritten = 5'000;
        const double size = expr::writtenSize(e);
        return size <= kMostWritten ? expr::print(e, format_)
                                    : "(" + std::to_string(static_cast<long long>(size)) + " operations)";
    }

    /// A letter with indices that count from 1: c_112, in words of the format.
    std::string indexed(const std::string& letter, std::initializer_list<int> indices) const
    {
        const bool apart = e_.n() > 9;
        std::string list;
        for (const int i : indices)
            list += (apart && !list.empty() ? "," : "") + std::to_string(i + 1);
        switch (format_) {
        case Format::Latex:
            return letter + "_{" + list + "}";
        case Format::Html:
            return "<i>" + letter + "</i><sub>" + list + "</sub>";
        case Format::Text:
            break;
        }
        return letter + "_" + list;
    }
    std::string letter(const std::string& plain) const { return format_ == Format::Html ? "<i>" + plain + "</i>" : plain; }
    std::string tau(int i) const { return indexed(of("tau", "\\tau", "τ"), {i}); }
    /// The text of the format that is written.
    const char* of(const char* plain, const char* latex, const char* html) const
    {
        if (format_ == Format::Latex)
            return latex;
        return format_ == Format::Html ? html : plain;
    }

    DerivationSection& section(std::string title, std::string source)
    {
        out_.push_back({std::move(title), std::move(source), {}, {}});
        return out_.back();
    }

    void energies()
    {
        DerivationSection& s = section("Coordinates and energies", "[DN] (3.1)");
        for (int i = 0; i < e_.n(); ++i)
            s.lines.push_back({indexed("q", {i}), expr::print(e_.q[static_cast<std::size_t>(i)], format_)});
        if (system_.lagrangian)
            for (const auto& [name, value] : system_.lagrangian->functions)
                s.lines.push_back({expr::print(expr::variable(name, 0), format_), text(value)});
        constexpr double kMostTerms = 3'000;
        const bool small = expr::expandedTerms(e_.kinetic) <= kMostTerms;
        const Expr kinetic = small ? expr::simplified(expr::expandIn(e_.kinetic, e_.v)) : e_.kinetic;
        s.lines.push_back({letter("T"), text(kinetic)});
        const Expr potential = expr::simplified(e_.potential);
        s.lines.push_back({letter("U"), text(potential)});
        s.lines.push_back({letter("L"), text(kinetic - potential)});
    }

    void massMatrix()
    {
        DerivationSection& s = section("Mass matrix", "[DN] (3.15)");
        for (const MassEntry& m : e_.mass)
            if (m.row <= m.column)
                s.lines.push_back({indexed("M", {m.row, m.column}), text(m.value)});
        s.note = "M is symmetric; entries that are not listed are zero.";
        if (e_.scleronomic())
            return;
        for (int i = 0; i < e_.n(); ++i)
            if (const Expr& b = e_.linear[static_cast<std::size_t>(i)]; !b.isZero())
                s.lines.push_back({indexed("b", {i}), text(b)});
        if (!e_.rest.isZero())
            s.lines.push_back({letter("T") + of("0", "_0", "<sub>0</sub>"), text(e_.rest)});
        s.note += " The coordinates move: T = T2 + T1 + T0 with T1 = b . q'.";
    }

    void christoffel()
    {
        DerivationSection& s = section("Christoffel symbols of the first kind", "[DN] (3.25)");
        for (const Christoffel& c : e_.christoffel)
            s.lines.push_back({indexed("c", {c.i, c.j, c.k}), text(c.value)});
        s.note = e_.christoffel.empty() ? "The mass matrix does not depend on the coordinates: all of them are zero."
                                        : "The last two indices may be exchanged; symbols that are not listed are zero.";
        DerivationSection& C = section("Coriolis and centrifugal matrix", "[DN] (3.24)");
        for (const MassEntry& m : e_.coriolis)
            C.lines.push_back({indexed("C", {m.row, m.column}), text(m.value)});
        C.note = e_.coriolis.empty() ? "C = 0." : "Entries that are not listed are zero.";
    }

    void skewSymmetry()
    {
        DerivationSection& s = section("M' - 2 C is skew symmetric", "[DN] (3.27)");
        s.note = (skew_.symbolic ? std::string("Its symmetric part vanishes term by term")
                                 : std::string("Expanding alone does not decide it"))
                 + "; at " + std::to_string(skew_.points) + " random states the largest entry of the symmetric part is "
                 + (skew_.largest > 0 ? text::scientific(skew_.largest, 1) : "0") + " of the largest entry of M' and 2 C.";
    }

    void forces()
    {
        DerivationSection& s = section("Forces", "[DN] (3.18), (3.14)");
        for (int i = 0; i < e_.n(); ++i)
            s.lines.push_back({indexed("g", {i}), text(e_.conservative[static_cast<std::size_t>(i)])});
        for (int i = 0; i < e_.n(); ++i)
            if (const Expr& r = e_.rheonomic[static_cast<std::size_t>(i)]; !r.isZero())
                s.lines.push_back({indexed("r", {i}), text(r)});
        bool applied = false;
        for (int i = 0; i < e_.n(); ++i)
            if (const Expr& q = e_.applied[static_cast<std::size_t>(i)]; !q.isZero()) {
                s.lines.push_back({tau(i), text(q)});
                applied = true;
            }
        s.note = applied ? "g is the gradient of U, tau what has no potential."
                         : "g is the gradient of U; there are no forces without a potential.";
    }

    void constraints()
    {
        if (system_.constraints.empty())
            return;
        DerivationSection& s = section("Constraints", "[DN] (3.28)");
        for (const Constraint& c : system_.constraints)
            s.lines.push_back({"0", text(c.g)});
        const int freedom = system_.n() - system_.m();
        s.note = std::to_string(system_.n()) + " coordinates and " + std::to_string(system_.m())
                 + (system_.m() == 1 ? " constraint" : " constraints") + " leave " + std::to_string(freedom)
                 + (freedom == 1 ? " degree" : " degrees") + " of freedom where the constraints are independent.";
    }

    void equations()
    {
        DerivationSection& s = section("Euler-Lagrange equations", system_.constraints.empty() ? "[DN] (3.22)" : "[DN] (3.32)");
        std::vector<std::vector<Expr>> rows(static_cast<std::size_t>(e_.n()));
        for (const MassEntry& m : e_.mass)
            rows[static_cast<std::size_t>(m.row)].push_back(m.value * expr::symbol(e_.a[static_cast<std::size_t>(m.column)]));
        for (int i = 0; i < e_.n(); ++i) {
            const auto k = static_cast<std::size_t>(i);
            std::vector<Expr>& row = rows[k];
            row.insert(row.end(), {e_.coriolisForce(i), e_.rheonomic[k], e_.conservative[k], -e_.applied[k]});
            for (const Constraint& c : system_.constraints)
                row.push_back(expr::symbol(c.multiplier) * expr::derivative(c.g, c.holonomic ? e_.q[k] : e_.v[k]));
            s.lines.push_back({"0", text(expr::sum(row))});
        }
    }

    const ConstrainedSystem& system_;
    const LagrangianEquations& e_;
    const SkewCheck& skew_;
    Format format_;
    std::vector<DerivationSection> out_;
};

} // namespace

std::vector<DerivationSection> describeDerivation(const ConstrainedSystem& system, const LagrangianEquations& equations,
                                                  const SkewCheck& skew, Format format)
{
    return Writer(system, equations, skew, format).write();
}

} // namespace driftless::model
