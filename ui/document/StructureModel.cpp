#include "ui/document/StructureModel.h"

#include <algorithm>

#include "core/base/Index.h"
#include "core/expr/PrintMarked.h"

namespace driftless::ui {

using structure::DerivativeRef;
using structure::EquationRef;

namespace {

bool contains(const std::vector<DerivativeRef>& all, const DerivativeRef& one)
{
    return std::find(all.begin(), all.end(), one) != all.end();
}

expr::Symbol symbolOf(const std::string& name, int order) { return {expr::SymbolKind::Variable, name, order}; }

} // namespace

StructureModel::StructureModel(std::shared_ptr<const model::EquationSystem> system) : shown_(std::move(system))
{
    stated_ = reduction::analyseEquations(*shown_);
    if (stated_.eliminated) {
        analysis_ = stated_.eliminated;
        shown_ = stated_.eliminatedSystem;
    } else
        analysis_ = std::shared_ptr<const reduction::EquationAnalysis>(std::shared_ptr<void>(), &stated_);
    blockOfEquation_.assign(at(size()), -1);
    blockOfUnknown_.assign(at(columns()), -1);
    const auto& blocks = analysis_->structure.blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const int i : blocks[b].equations)
            blockOfEquation_[at(i)] = static_cast<int>(b);
        for (const int j : blocks[b].unknowns)
            blockOfUnknown_[at(j)] = static_cast<int>(b);
    }
    fillCells();
    fillRungs();
    steps_ = structureSteps(*this);
}

void StructureModel::fillCells()
{
    const auto& s = analysis_->structure;
    const auto& transversal = s.singular ? s.matching.columnOfRow : s.sigma.transversal;
    for (int i = 0; i < size(); ++i)
        for (const auto& entry : analysis_->signature.rows[at(i)]) {
            StructureCell cell{i, entry.column, entry.order, false, false, -1};
            cell.transversal = at(i) < transversal.size() && transversal[at(i)] == entry.column;
            if (!s.singular) {
                cell.leading = entry.order + c()[at(i)] == d()[at(entry.column)];
                if (blockOfEquation_[at(i)] == blockOfUnknown_[at(entry.column)])
                    cell.block = blockOfEquation_[at(i)];
            }
            cells_.push_back(cell);
        }
}

void StructureModel::fillRungs()
{
    if (size() > kMostSpelled)
        return;
    for (int i = 0; i < size(); ++i) {
        const int highest = analysis_->structure.singular ? 0 : c()[at(i)];
        expr::Expr residual = shown_->equations[at(i)].residual;
        bool readable = true;
        for (int level = 0; level <= std::min(highest, kMostRungs); ++level) {
            if (level > 0 && readable)
                residual = expr::timeDerivative(residual);
            readable = readable && expr::nodeCount(residual) <= kMostNodes;
            Rung rung{.at = {i, level}, .residual = {}, .html = {}, .text = {}};
            if (readable) {
                rung.residual = residual;
                rung.html = expr::print(residual, expr::Format::Html) + " = 0";
                rung.text = expr::print(residual) + " = 0";
            }
            rungs_.push_back(std::move(rung));
        }
    }
}

QString StructureModel::equationName(int i) const { return QString::fromStdString(analysis_->names.equations[at(i)]); }

QString StructureModel::derivativeName(const DerivativeRef& of) const
{
    return QString::fromStdString(structure::derivativeName(analysis_->names.unknowns[at(of.unknown)], of.order));
}

std::string StructureModel::derivativeHtml(const DerivativeRef& of) const
{
    return expr::print(symbolOf(analysis_->names.unknowns[at(of.unknown)], of.order), expr::Format::Html);
}

std::string StructureModel::rungHtml(const Rung& rung, const std::vector<DerivativeRef>& dummies) const
{
    if (rung.html.empty())
        return {};
    std::vector<expr::Symbol> marked;
    for (const DerivativeRef& dummy : dummies)
        marked.push_back(symbolOf(analysis_->names.unknowns[at(dummy.unknown)], dummy.order));
    const auto isMarked = [&marked](const expr::Symbol& s) { return std::ranges::find(marked, s) != marked.end(); };
    return expr::printMarked(rung.residual, expr::Format::Html, isMarked) + " = 0";
}

int StructureModel::unknown(const std::string& name) const
{
    const auto& all = analysis_->names.unknowns;
    const auto found = std::find(all.begin(), all.end(), name);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

std::vector<LadderStage> StructureModel::stages(const PresentSelection& present) const
{
    constexpr std::size_t kMostStages = 2000;
    std::vector<LadderStage> out;
    if (size() > kMostSpelled)
        return out;
    std::vector<DerivativeRef> before; // what the stage before has chosen, one order lower
    for (const auto& stage : analysis_->structure.selection.stages) {
        LadderStage now{stage.block, stage.stage, stage.m, stage.g, stage.stage == 1 ? stage.z : before, {}, {}};
        if (stage.stage > 1) // positions that a run chooses apart from its velocities
            for (const auto& z : stage.z)
                if (contains(present.dummies, z) && !contains(now.z, z))
                    now.z.push_back(z);
        const bool whole = now.m == static_cast<int>(now.z.size());
        before.clear();
        for (const auto& z : now.z) {
            const bool known = contains(present.known, z);
            const bool selected = now.m > 0 && (whole || (known ? contains(present.dummies, z) : contains(stage.selected, z)));
            now.selected.push_back(selected);
            now.choosable.push_back(known && present.pivots && !whole && now.m > 0);
            if (selected)
                before.push_back({z.unknown, z.order - std::max(1, stage.repeats)});
        }
        out.push_back(now);
        for (int k = 1; k < stage.repeats && out.size() < kMostStages; ++k) { // the same on a lower rung
            LadderStage lower = out.back();
            ++lower.stage;
            LadderStage next{lower.block, lower.stage, lower.m, lower.g, {}, {}, {}};
            for (auto& g : next.g)
                --g.differentiations;
            for (std::size_t z = 0; z < lower.z.size(); ++z)
                if (lower.selected[z]) {
                    next.z.push_back({lower.z[z].unknown, lower.z[z].order - 1});
                    next.selected.push_back(true);
                    next.choosable.push_back(false);
                }
            out.push_back(std::move(next));
        }
    }
    return out;
}

std::vector<DerivativeRef> StructureModel::dummies(const std::vector<LadderStage>& stages)
{
    std::vector<DerivativeRef> out;
    for (const auto& stage : stages)
        for (std::size_t k = 0; k < stage.z.size(); ++k)
            if (stage.selected[k])
                out.push_back(stage.z[k]);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::vector<DerivativeRef> StructureModel::freeValues(const std::vector<DerivativeRef>& dummies) const
{
    std::vector<DerivativeRef> out;
    if (size() > kMostSpelled)
        return out;
    for (int j = 0; j < static_cast<int>(d().size()); ++j)
        for (int k = 0; k < d()[at(j)]; ++k)
            if (!std::binary_search(dummies.begin(), dummies.end(), DerivativeRef{j, k + 1}))
                out.push_back({j, k});
    return out;
}

QString StructureModel::summary() const
{
    const auto& s = analysis_->structure;
    if (s.singular)
        return QStringLiteral("Structurally singular: %1")
            .arg(QString::fromStdString(structure::describeSingularity(s.parts, analysis_->names)));
    const auto counted = [](long n, const char* one, const char* many) {
        return QStringLiteral("%1 %2").arg(n).arg(QLatin1String(n == 1 ? one : many));
    };
    QString out = QStringLiteral("Structural index %1 · %2 · %3 · %4 with dummy derivatives")
                      .arg(s.structuralIndex)
                      .arg(counted(s.freedom, "start value to choose", "start values to choose"),
                           counted(static_cast<long>(s.blocks.size()), "block", "blocks"),
                           counted(s.selection.augmentedEquations, "equation", "equations"));
    if (s.selection.reducedEquations < s.selection.augmentedEquations)
        out += QStringLiteral(", %1 without superfluous ones").arg(s.selection.reducedEquations);
    if (!stated_.eliminations.empty())
        out += QStringLiteral(" · after elimination, whose differentiations count");
    else if (analysis_->jacobianSingular)
        out += QStringLiteral(" · but the Jacobian is singular");
    return out;
}

QString StructureModel::matrixOfStage(const LadderStage& stage, const QString& mark, const QString& shade) const
{
    constexpr std::size_t kMostShown = 9;
    constexpr int kLongest = 34;
    if (stage.g.size() > kMostShown || stage.z.size() > kMostShown || analysis_->structure.singular)
        return {};
    QString out = QStringLiteral("<table cellspacing='0' cellpadding='3'><tr><td></td>");
    for (std::size_t k = 0; k < stage.z.size(); ++k)
        out += QStringLiteral("<td align='center'%1>%2</td>")
                   .arg(stage.selected[k] ? QStringLiteral(" style='background-color:%1'").arg(mark) : QString(),
                        QString::fromStdString(derivativeHtml(stage.z[k])));
    out += QStringLiteral("</tr>");
    for (std::size_t r = 0; r < stage.g.size(); ++r) {
        const int i = stage.g[r].equation;
        const bool h = static_cast<int>(r) < stage.m;
        out += QStringLiteral("<tr><td%1>%2&nbsp;</td>")
                   .arg(h ? QStringLiteral(" style='background-color:%1'").arg(shade) : QString(),
                        QString::fromStdString(
                            structure::derivativeName(analysis_->names.equations[at(i)], stage.g[r].differentiations))
                            .toHtmlEscaped());
        for (std::size_t k = 0; k < stage.z.size(); ++k) {
            const int j = stage.z[k].unknown, order = d()[at(j)] - c()[at(i)];
            const expr::Expr entry = order < 0 ? expr::Expr()
                                               : expr::derivative(shown_->equations[at(i)].residual,
                                                                  symbolOf(analysis_->names.unknowns[at(j)], order));
            const QString text = QString::fromStdString(expr::print(entry)).size() > kLongest
                                     ? QStringLiteral("∗")
                                     : QString::fromStdString(expr::print(entry, expr::Format::Html));
            const QString lit = stage.selected[k] ? mark : shade;
            const QString colour = h ? lit : QString();
            out += QStringLiteral("<td align='center'%1>%2</td>")
                       .arg(colour.isEmpty() ? QString() : QStringLiteral(" style='background-color:%1'").arg(colour), text);
        }
        out += QStringLiteral("</tr>");
    }
    return out + QStringLiteral("</table>");
}

namespace {

void addOwner(std::vector<std::string>& owners, const std::string& owner)
{
    if (!owner.empty() && owner != "ground" && std::find(owners.begin(), owners.end(), owner) == owners.end())
        owners.push_back(owner);
}

bool names(const std::string& equation, const char* what, const std::string& name) { return equation == what + name; }

} // namespace

std::vector<std::string> ownersOfEquation(const model::ConstrainedSystem& system, const std::string& name)
{
    std::vector<std::string> out;
    for (const auto& q : system.coordinates)
        if (names(name, "motion of ", q.name) || names(name, "rate of ", q.name))
            addOwner(out, q.body);
    for (const auto& constraint : system.constraints)
        if (names(name, "constraint ", constraint.name)) {
            addOwner(out, constraint.joint);
            for (const auto& body : constraint.bodies)
                addOwner(out, body);
        }
    return out;
}

std::vector<std::string> ownersOfUnknown(const model::ConstrainedSystem& system, const std::string& name)
{
    std::vector<std::string> out;
    for (const auto& q : system.coordinates)
        if (q.q.name == name || q.v.name == name)
            addOwner(out, q.body);
    for (const auto& constraint : system.constraints)
        if (constraint.multiplier.name == name)
            addOwner(out, constraint.joint);
    if (!system.values.empty()) // general equations: the shapes that are drawn with it
        for (const auto& visual : system.visuals)
            for (const auto& point : visual.points)
                for (const expr::Expr* part : {&point.x, &point.y, &point.z})
                    if (expr::dependsOn(*part, symbolOf(name, 0)))
                        addOwner(out, visual.owner);
    return out;
}

} // namespace driftless::ui
