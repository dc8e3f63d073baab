// The analysis in words: incidence, matching, Pantelides, Sigma-method, blocks, and Steps 1-6 of [MS91] section 3.
#include <QStringList>

#include <algorithm>

#include "core/base/Index.h"
#include "ui/document/StructureModel.h"

namespace driftless::ui {

namespace {

using structure::EquationRef;

constexpr std::size_t kMostSteps = 60; ///< of one kind, beyond which the rest is counted
constexpr std::size_t kMostNamed = 10;

QString counted(long n, const char* one, const char* many)
{
    return QStringLiteral("%1 %2").arg(n).arg(QLatin1String(n == 1 ? one : many));
}

class Steps {
public:
    explicit Steps(const StructureModel& model) : m_(model), a_(model.analysis()), s_(model.analysis().structure) {}

    std::vector<StructureStep> make()
    {
        eliminations();
        signature();
        matching();
        if (s_.singular)
            return std::move(out_);
        pantelides();
        offsets();
        blocks();
        if (m_.size() <= StructureModel::kMostSpelled)
            stages();
        superfluous();
        outcome();
        return std::move(out_);
    }

private:
    StructureStep& add(StepKind kind, const QString& title, const QString& text)
    {
        StructureStep step;
        step.kind = kind;
        step.title = title;
        step.text = text;
        out_.push_back(std::move(step));
        return out_.back();
    }

    QString equation(int i, int level = 0) const
    {
        return QString::fromStdString(structure::derivativeName(a_.names.equations[at(i)], level)).toHtmlEscaped();
    }
    template <typename List, typename Name>
    static QString listed(const List& all, Name&& name)
    {
        QStringList out;
        for (std::size_t k = 0; k < all.size() && k < kMostNamed; ++k)
            out << name(all[k]);
        if (all.size() > kMostNamed)
            out << QStringLiteral("%1 more").arg(all.size() - kMostNamed);
        return out.join(QStringLiteral(", "));
    }
    QString equations(const std::vector<int>& which) const
    {
        return listed(which, [this](int i) { return equation(i); });
    }
    QString unknowns(const std::vector<int>& which) const
    {
        return listed(which, [this](int j) { return derivative({j, 0}); });
    }
    QString derivative(const structure::DerivativeRef& of) const { return QString::fromStdString(m_.derivativeHtml(of)); }

    void eliminations()
    {
        const auto& stated = m_.stated();
        if (stated.eliminations.empty())
            return;
        add(StepKind::Elimination, QStringLiteral("Structure alone is not enough"),
            QStringLiteral("As stated the equations have the structural index %1 and %2, but the Jacobian of the highest "
                           "derivatives has rank %3 of %4 at "
                           "random points: the counts are not those of the system. Combinations of equations in which the "
                           "highest derivatives cancel are taken "
                           "instead, and the analysis starts again ([MS91] Example 5).")
                .arg(stated.structure.structuralIndex)
                .arg(counted(stated.structure.freedom, "start value to choose", "start values to choose"))
                .arg(stated.jacobianRank)
                .arg(stated.signature.size()));
        for (const auto& e : stated.eliminations) {
            auto& step = add(StepKind::Elimination, QStringLiteral("%1 is replaced").arg(QString::fromStdString(e.equation)),
                             QStringLiteral("%1 is replaced by %2, that is %3.")
                                 .arg(QString::fromStdString(e.equation).toHtmlEscaped(),
                                      QString::fromStdString(e.combination).toHtmlEscaped(),
                                      QString::fromStdString(e.result).toHtmlEscaped()));
            for (int i = 0; i < m_.size(); ++i)
                if (a_.names.equations[at(i)] == e.equation)
                    step.equations.push_back(i);
        }
    }

    void signature()
    {
        add(StepKind::Signature, QStringLiteral("Incidence and signature"),
            QStringLiteral("%1 and %2; %3. An entry is the order of the highest derivative of the unknown in the equation; an "
                           "empty place means that it does not occur.")
                .arg(counted(m_.size(), "equation", "equations"), counted(m_.columns(), "unknown", "unknowns"),
                     counted(static_cast<long>(m_.cells().size()), "entry", "entries")));
    }

    void matching()
    {
        if (!s_.singular) {
            add(StepKind::Matching, QStringLiteral("Maximum matching"),
                QStringLiteral("Every equation has an unknown of its own: the system is structurally regular."));
            return;
        }
        add(StepKind::Matching, QStringLiteral("Maximum matching"),
            QStringLiteral("Only %1 of %2 and %3 can be matched: whatever the numbers, the system is singular.")
                .arg(s_.matching.size)
                .arg(counted(m_.size(), "equation", "equations"), counted(m_.columns(), "unknown", "unknowns")));
        if (const auto& p = s_.parts; !p.overRows.empty()) {
            auto& step =
                add(StepKind::OverDetermined, QStringLiteral("Over-determined part"),
                    QStringLiteral("%1 (%2) for %3 (%4): too many equations (Dulmage and Mendelsohn).")
                        .arg(counted(static_cast<long>(p.overRows.size()), "equation", "equations"), equations(p.overRows),
                             counted(static_cast<long>(p.overColumns.size()), "unknown", "unknowns"), unknowns(p.overColumns)));
            step.equations = p.overRows;
            step.unknowns = p.overColumns;
        }
        if (const auto& p = s_.parts; !p.underColumns.empty()) {
            auto& step =
                add(StepKind::UnderDetermined, QStringLiteral("Under-determined part"),
                    QStringLiteral("%1 (%2) in only %3 (%4): too few equations (Dulmage and Mendelsohn).")
                        .arg(counted(static_cast<long>(p.underColumns.size()), "unknown", "unknowns"), unknowns(p.underColumns),
                             counted(static_cast<long>(p.underRows.size()), "equation", "equations"), equations(p.underRows)));
            step.equations = p.underRows;
            step.unknowns = p.underColumns;
        }
    }

    void pantelides()
    {
        const auto& steps = s_.pantelides.steps;
        if (steps.empty())
            add(StepKind::Pantelides, QStringLiteral("Pantelides: nothing to do"),
                QStringLiteral("The highest derivatives can be matched as they are: no equation has to be differentiated."));
        std::vector<int> level(at(m_.size()), 0);
        for (std::size_t k = 0; k < steps.size() && k < kMostSteps; ++k) {
            const auto& p = steps[k];
            const QString failing = equation(p.equation, level[at(p.equation)]);
            const QString which = listed(p.equations, [&](int i) { return equation(i, level[at(i)]); });
            QString text = QStringLiteral("No highest derivative is left for %1. ").arg(failing);
            text += p.unknowns.empty() ? QStringLiteral("It holds no highest derivative at all; it is differentiated.")
                                       : QStringLiteral("%1 hold only the highest derivatives of %2, one too few: they are "
                                                        "differentiated once, and the highest "
                                                        "derivatives of %2 rise by one.")
                                             .arg(which, unknowns(p.unknowns));
            auto& step = add(StepKind::Pantelides,
                             QStringLiteral("Pantelides %1: differentiate %2")
                                 .arg(k + 1)
                                 .arg(QString(which).replace(QStringLiteral("&amp;"), QStringLiteral("&"))),
                             text);
            step.equations = p.equations;
            step.unknowns = p.unknowns;
            for (const int i : p.equations)
                step.rungs.push_back({i, ++level[at(i)]});
        }
        if (steps.size() > kMostSteps || !s_.pantelides.recordedAll)
            add(StepKind::Pantelides, QStringLiteral("Pantelides: and so on"),
                QStringLiteral("%1 in all.")
                    .arg(counted(s_.pantelides.differentiations, "differentiation", "differentiations")));
    }

    void offsets()
    {
        auto& step = add(StepKind::Offsets, QStringLiteral("Pryce's Σ-method"),
                         QStringLiteral("The transversal of highest value has the value %1: the ringed entries. Its offsets c "
                                        "(right of the matrix: how often each equation is "
                                        "differentiated) and d (below: the highest derivative of each unknown) %2.")
                             .arg(s_.sigma.value)
                             .arg(s_.agree ? QStringLiteral("are those of Pantelides' algorithm")
                                           : QStringLiteral("differ from those of Pantelides' algorithm")));
        for (int i = 0; i < m_.size(); ++i)
            if (s_.pantelides.c[at(i)] > 0)
                step.rungs.push_back({i, s_.pantelides.c[at(i)]});
    }

    void blocks()
    {
        if (m_.size() > StructureModel::kMostSpelled) {
            const auto largest = std::max_element(s_.blocks.begin(), s_.blocks.end(), [](const auto& p, const auto& q) {
                return p.equations.size() < q.equations.size();
            });
            add(StepKind::Block, counted(static_cast<long>(s_.blocks.size()), "block", "blocks"),
                QStringLiteral("Block lower triangular form of the differentiated system; the largest block has %1.")
                    .arg(counted(largest == s_.blocks.end() ? 0 : static_cast<long>(largest->equations.size()), "equation",
                                 "equations")));
            return;
        }
        for (std::size_t b = 0; b < s_.blocks.size() && b < kMostSteps; ++b) {
            const auto& block = s_.blocks[b];
            const auto& c = s_.pantelides.c;
            const auto& d = s_.pantelides.d;
            auto& step = add(StepKind::Block, QStringLiteral("Block %1 of %2").arg(b + 1).arg(s_.blocks.size()),
                             QStringLiteral("%1 are solved for %2 (block lower triangular form of the differentiated system).")
                                 .arg(listed(block.equations, [&](int i) { return equation(i, c[at(i)]); }),
                                      listed(block.unknowns, [&](int j) {
                                          return derivative({j, d[at(j)]});
                                      })));
            step.equations = block.equations;
            step.unknowns = block.unknowns;
            for (const int i : block.equations)
                step.rungs.push_back({i, c[at(i)]});
        }
    }

    void stages()
    {
        const auto all = m_.stages({});
        for (std::size_t k = 0; k < all.size() && out_.size() < 4 * kMostSteps; ++k) {
            const LadderStage& stage = all[k];
            if (stage.m == 0)
                continue; // Step 3 ends the block
            auto& step = add(
                StepKind::Stage,
                QStringLiteral("Block %1, stage %2: %3")
                    .arg(stage.block + 1)
                    .arg(stage.stage)
                    .arg(counted(stage.m, "dummy", "dummies")),
                QStringLiteral("Step 1: g = %1, z = %2. Steps 2 and 3: h, the first %3 of g, %4 still differentiated; H holds "
                               "%5 of G = dg/dz. "
                               "Step 4: %3 of the columns of H are chosen so that M is regular: these derivatives become "
                               "dummies. Steps 5 and 6: "
                               "one differentiation of h is undone, and M is the G of the next stage.")
                    .arg(listed(stage.g, [this](const EquationRef& g) { return equation(g.equation, g.differentiations); }),
                         listed(stage.z, [this](const structure::DerivativeRef& z) { return derivative(z); }))
                    .arg(stage.m)
                    .arg(QLatin1String(stage.m == 1 ? "is" : "are"), QLatin1String(stage.m == 1 ? "its row" : "their rows")));
            step.stage = static_cast<int>(k);
            for (int r = 0; r < static_cast<int>(stage.g.size()); ++r) {
                if (r < stage.m)
                    step.equations.push_back(stage.g[at(r)].equation);
                if (r < stage.m)
                    step.rungs.push_back(stage.g[at(r)]);
            }
            for (const auto& z : stage.z)
                step.unknowns.push_back(z.unknown);
        }
    }

    void superfluous()
    {
        if (s_.selection.superfluous.empty())
            return;
        auto& step = add(StepKind::Superfluous, QStringLiteral("Superfluous differentiations"),
                         QStringLiteral("No unknown of these blocks is algebraic, so their last differentiation only defines "
                                        "derivatives that nothing else needs: %1 can be left "
                                        "out ([MS91] Example 2).")
                             .arg(listed(s_.selection.superfluous,
                                         [this](const EquationRef& g) { return equation(g.equation, g.differentiations); })));
        for (const auto& g : s_.selection.superfluous) {
            step.equations.push_back(g.equation);
            step.rungs.push_back(g);
        }
    }

    void outcome()
    {
        QString text = QStringLiteral("%1 with as many dummy derivatives as there are differentiated equations: an index-1 "
                                      "system with all levels of the constraints.")
                           .arg(counted(s_.selection.augmentedEquations, "equation", "equations"));
        if (s_.selection.reducedEquations < s_.selection.augmentedEquations)
            text += QStringLiteral(" %1 without the superfluous ones.").arg(s_.selection.reducedEquations);
        if (a_.diagnostic)
            text += QStringLiteral(" <b>%1.</b> %2.")
                        .arg(QString::fromStdString(a_.diagnostic->what).toHtmlEscaped(),
                             QString::fromStdString(a_.diagnostic->why).toHtmlEscaped());
        add(StepKind::Outcome, QStringLiteral("The reduced system"), text);
    }

    const StructureModel& m_;
    const reduction::EquationAnalysis& a_;
    const structure::StructuralAnalysis& s_;
    std::vector<StructureStep> out_;
};

} // namespace

std::vector<StructureStep> structureSteps(const StructureModel& model) { return Steps(model).make(); }

} // namespace driftless::ui
