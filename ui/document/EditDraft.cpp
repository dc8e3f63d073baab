#include "ui/document/EditDraft.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/consistency/Consistency.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/run/Settings.h"
#include "core/text/Escapes.h"
#include "core/text/Numbers.h"

namespace driftless::ui {

using model::ModelText;

namespace {

constexpr double kMoved = 1e-9;     ///< [m], [rad] below this a start value stays as it is written
constexpr double kAssembled = 1e-6; ///< [m], [rad] as far as numbers are written
constexpr double kCentre = 5e-7;    ///< [m] below what is written

bool chartStates(const ModelText& text, const char* key)
{
    const model::TomlEntry* chart = text.root().find("chart");
    const model::TomlEntry* coordinates = chart ? chart->value.find("coordinates") : nullptr;
    return coordinates && std::ranges::any_of(coordinates->value.items, [key](const model::TomlValue& c) {
               return c.kind == model::TomlKind::Table && c.find(key);
           });
}

bool chartStatesStart(const ModelText& text) { return chartStates(text, "start") || chartStates(text, "velocity"); }

/// "x" of "bar.x".
std::string withoutBody(const model::Coordinate& c) { return c.name.substr(c.body.size() + 1); }

/// A start value that was solved for.
std::string solvedText(const model::Coordinate& c, double value)
{
    const double parts = std::round(value / kRailPart);
    const bool rightly = c.name.ends_with(".angle") && std::abs(value - parts * kRailPart) <= kAssembled;
    return rightly ? angleText(value, kAssembled) : model::tomlSolvedPlace(value);
}

} // namespace

std::vector<ModelText::FieldChange> startChanges(const ModelText& text, const std::vector<model::Coordinate>& coordinates,
                                                 const model::ModelState& to, const model::ModelState& from, bool all)
{
    std::vector<ModelText::FieldChange> out;
    for (std::size_t i = 0; i < coordinates.size() && i < to.q.size(); ++i) {
        const auto& c = coordinates[i];
        const ModelText::Place* place = text.find(c.body.empty() ? c.name : c.body);
        if (!place)
            continue;
        const std::string key = c.body.empty() ? std::string() : withoutBody(c) + ".";
        if (all || std::abs(to.q[i] - from.q[i]) > kMoved)
            out.push_back({place->kind, place->number, key + "start", solvedText(c, to.q[i])});
        if (all && to.v[i] != 0)
            out.push_back({place->kind, place->number, key + "velocity", model::tomlNumber(to.v[i])});
    }
    return out;
}

Result<void> releaseChart(ModelText& text, const std::vector<model::Coordinate>& coordinates, const model::ModelState& state)
{
    const bool starts = chartStatesStart(text);
    if (auto done = text.removeSection("chart"); !done || !starts)
        return done;
    return text.setFields(startChanges(text, coordinates, state, state, true));
}

ModelText draftOf(const ModelText& text, const std::vector<model::Coordinate>& coordinates, const model::ModelState& state)
{
    if (chartStatesStart(text))
        if (ModelText released = text; releaseChart(released, coordinates, state))
            return released;
    return text;
}

void assemble(ModelText& text, const std::map<std::string, double>& parameters)
{
    const auto model = reduction::readModel(text.text(), "model.toml");
    if (!model || (*model)->system.n() == 0 || (*model)->system.n() > kLargestAssembled)
        return;
    const auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return;
    model::SystemEvaluator evaluator(*compiled);
    run::StartSettings start;
    start.parameters = parameters;
    const auto request = run::startRequest(start, evaluator);
    consistency::ConsistencySolver solver(*compiled);
    const auto solved = request ? solver.solve(*request) : Result<consistency::Solution>(Diagnostic{});
    if (!solved)
        return; // the edit stands, and the live line says what does not fit
    std::vector<ModelText::FieldChange> changes;
    const auto& coordinates = (*model)->system.coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (const auto* place = text.find(coordinates[i].body);
            place && std::abs(solved->state.q[i] - request->q[i]) > kAssembled)
            changes.push_back({"body", place->number, withoutBody(coordinates[i]) + ".start",
                               solvedText(coordinates[i], solved->state.q[i])});
    ModelText moved = text;
    if (moved.setFields(changes))
        text = std::move(moved);
}

std::string railAngle(int parts)
{
    if (parts == 0)
        return "0";
    const int common = std::gcd(std::abs(parts), 12), up = std::abs(parts) / common, down = 12 / common;
    return std::string("\"") + (parts < 0 ? "-" : "") + (up == 1 ? "" : std::to_string(up) + "*") + "pi"
           + (down == 1 ? "" : "/" + std::to_string(down)) + "\"";
}

std::string angleText(double angle, double slack)
{
    constexpr double kMostParts = 1e6;
    const double parts = std::round(angle / kRailPart);
    if (std::abs(parts) < kMostParts && std::abs(angle - parts * kRailPart) <= slack)
        return railAngle(static_cast<int>(parts));
    std::string out = text::fixed(angle, 12);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.')
        out.pop_back();
    return out;
}

std::string endText(const EditEnd& end)
{
    const bool centre = std::abs(end.at.x()) < kCentre && std::abs(end.at.y()) < kCentre;
    if (centre)
        return text::tomlString(end.body);
    return "{ body = " + text::tomlString(end.body) + ", at = " + model::tomlPair(end.at.x(), end.at.y()) + " }";
}

} // namespace driftless::ui
