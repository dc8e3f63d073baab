// Models of both kinds, as the laboratory runs them.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/system/EquationSystem.h"
#include "core/system/ShippedModels.h"

namespace driftless::reduction {

namespace {

/// An adaptive method must not step over a source that is silent at t = 0, and the first step of a BDF errs by h times the
/// rates of what is algebraic, which it cannot predict.
constexpr double kFirstStep = 1e-6; // [s]
constexpr double kFirstShare =
    1e-6; // of the experiment, in its place where nominal values are stated: then all counts in what the text states
constexpr double kTiedShare = 1.0 / 200; // of the experiment: ten periods with twenty looks at each

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the text goes on after blanks and comments.
std::size_t skipComments(std::string_view text)
{
    std::size_t i = 0;
    while (i < text.size()) {
        if (std::isspace(static_cast<unsigned char>(text[i])))
            ++i;
        else if (text.substr(i, 2) == "//")
            i = std::min(text.find('\n', i), text.size());
        else if (text.substr(i, 2) == "/*") {
            const std::size_t end = text.find("*/", i + 2);
            if (end == std::string_view::npos)
                return text.size();
            i = end + 2;
        } else
            break;
    }
    return i;
}

model::VisualKind visualKind(std::string_view shape)
{
    if (shape == "rod")
        return model::VisualKind::Rod;
    if (shape == "spring")
        return model::VisualKind::Spring;
    return shape == "pin" ? model::VisualKind::GroundPin : model::VisualKind::PointMass;
}

void addVisuals(const model::EquationModel& equations, model::Model& out)
{
    for (const model::EquationShape& shape : equations.shapes) {
        model::Visual visual{visualKind(shape.kind), shape.kind + " " + std::to_string(out.system.visuals.size() + 1), {}};
        const std::size_t width = shape.space ? 3 : 2;
        for (std::size_t k = 0; k < shape.coordinates.size(); k += width)
            visual.points.push_back(
                {shape.coordinates[k], shape.coordinates[k + 1], shape.space ? shape.coordinates[k + 2] : expr::Expr(0)});
        out.system.visuals.push_back(std::move(visual));
        out.view.planar = out.view.planar && !shape.space;
    }
}

/// Discrete variables and conditions, and those of them that are outputs.
void addHeld(const model::EquationSystem& equations, const Reduced& r, model::ConstrainedSystem& out)
{
    for (std::size_t k = 0; k < equations.held.size(); ++k) {
        const model::HeldVariable& x = equations.held[k];
        const bool condition = x.kind == model::HeldVariable::Kind::Condition;
        out.held.push_back({.name = x.quantity.name,
                            .unit = x.quantity.unit,
                            .description = x.quantity.description,
                            .symbol = r.held[k],
                            .start = r.heldStart[k],
                            .whole = x.kind != model::HeldVariable::Kind::Real,
                            .condition = condition});
    }
    for (const std::string& name : equations.outputs)
        for (const model::HeldValue& x : out.held)
            if (x.name == name && !x.condition)
                out.outputs.push_back({name, x.unit, x.description, expr::symbol(x.symbol), {}});
}

} // namespace

bool statesEquations(std::string_view text)
{
    std::string_view rest = text.substr(skipComments(text));
    if (!rest.starts_with("model") || rest.size() < 6 || !std::isspace(static_cast<unsigned char>(rest[5])))
        return false;
    rest.remove_prefix(5);
    rest.remove_prefix(skipComments(rest));
    return !rest.empty() && letter(rest[0]); // a key of a table would be followed by an equals sign
}

Result<std::shared_ptr<const model::Model>> modelOf(const model::EquationModel& equations, const Values& near)
{
    auto reduced = reduce(equations.system, near);
    if (!reduced)
        return reduced.error();
    auto out = std::make_shared<model::Model>();
    out->name = equations.name;
    out->title = equations.description.empty() ? equations.name : equations.description;
    out->description = equations.description;
    out->text = equations.text;
    out->path = equations.path;
    out->run.end = equations.end;
    out->run.endStated = equations.endStated;
    out->run.firstStep = kFirstStep * std::min(1.0, equations.end);
    out->run.relativeTolerance = equations.tolerance;
    out->run.absoluteTolerance = equations.tolerance;
    out->equations = std::make_shared<const model::EquationSystem>(equations.system);
    out->reduced = *reduced;
    const Reduced& r = **reduced;
    if (r.lowerCount > 0) // what is tied stands still for a method, which would pass over all that ends it
        out->run.maxStep = kTiedShare * equations.end;
    out->system.parameters = parametersOf(r.system);
    out->requirements = requirementsOf(r.system);
    for (std::size_t j = 0; j < r.system.unknowns.size(); ++j) {
        const model::EquationUnknown& x = r.system.unknowns[j];
        std::string unit = x.quantity.unit;
        for (int k = 0; k <= r.highest[j]; ++k) {
            const auto place = static_cast<std::size_t>(r.place(static_cast<int>(j), k));
            model::GeneralValue value{r.names[place], unit, x.quantity.description, r.symbols[place], k < r.highest[j]};
            value.nominal = x.quantity.nominal;
            if (value.nominal > 0)
                out->run.firstStep = kFirstShare * equations.end;
            if (k == 0) {
                value.start = x.quantity.value;
                value.started = x.started;
                value.status = x.status;
            }
            out->system.values.push_back(std::move(value));
            unit = model::rateUnit(x.quantity.unit, k + 1);
        }
    }
    addHeld(equations.system, r, out->system);
    for (const std::string& name : equations.system.outputs)
        for (const model::GeneralValue& x : out->system.values)
            if (x.name == name)
                out->system.outputs.push_back({name, x.unit, x.description, expr::symbol(x.symbol), {}});
    out->system.corners = equations.system.corners;
    out->system.knots = equations.system.knots;
    out->system.inputFiles = equations.system.inputFiles;
    addVisuals(equations, *out);
    return std::shared_ptr<const model::Model>(std::move(out));
}

Result<std::shared_ptr<const model::Model>> readModel(std::string_view text, const std::string& file, const Values& near)
{
    if (!statesEquations(text) && !file.ends_with(".mo"))
        return model::readModel(text, file);
    auto equations = model::readEquationModel(text, file);
    if (!equations)
        return equations.error();
    return modelOf(**equations, near);
}

Result<std::shared_ptr<const model::Model>> openModel(const std::string& pathOrName, const Values& near)
{
    if (!model::namesEquationModel(pathOrName))
        return model::openModel(pathOrName);
    auto equations = model::openEquationModel(pathOrName);
    if (!equations)
        return equations.error();
    return modelOf(**equations, near);
}

std::vector<model::ShippedModel> shippedEquations()
{
    std::vector<model::ShippedModel> out;
    for (const std::string& id : model::shippedEquationModels())
        if (const auto equations = model::openEquationModel(id))
            out.push_back({id, (*equations)->description.empty() ? (*equations)->name : (*equations)->description, "",
                           (*equations)->path});
    return out;
}

} // namespace driftless::reduction
