#include "ui/document/MechanismHandles.h"

#include <algorithm>
#include <cmath>

#include "ui/document/EditDraft.h"

namespace driftless::ui {

using model::ModelText;
using model::TomlKind;
using model::TomlValue;

namespace {

constexpr int kDeepestChain = 16; ///< a parameter that is another one

const TomlValue* member(const TomlValue* table, std::string_view key)
{
    const model::TomlEntry* entry = table && table->kind == TomlKind::Table ? table->find(key) : nullptr;
    return entry ? &entry->value : nullptr;
}

bool isName(std::string_view text)
{
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front()))
           && std::all_of(text.begin(), text.end(),
                          [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

std::string trimmed(const std::string& text)
{
    const auto from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
    return from == std::string::npos ? std::string() : text.substr(from, to - from + 1);
}

} // namespace

MechanismHandles::MechanismHandles(const OpenBench& open, const EditedMechanism& mechanism, EditCommit& commit)
    : open_(open), mechanism_(mechanism), commit_(commit)
{
}

std::optional<EditQuantity> MechanismHandles::quantity(const std::string& id, const std::string& path) const
{
    const ModelText::Place* place = mechanism_.placeOf(id);
    const TomlValue* table = place ? mechanism_.text()->table(place->kind, place->number) : nullptr;
    if (!table || member(table, "count"))
        return std::nullopt;
    EditQuantity out;
    out.id = id;
    out.path = path;
    out.unit = "m";
    if (path == "mass")
        out.unit = "kg";
    if (path == "stiffness")
        out.unit = "N/m";
    out.zero = path != "mass" && place->kind == "force"; // a spring may be slack, or pull from no length
    const TomlValue* written = member(table, path);
    if (!written) { // at rest at no length, unless the table says otherwise
        const bool spring = path == "length" && member(table, "stiffness");
        return spring ? std::optional(out) : std::nullopt;
    }
    const auto value = mechanism_.geometry().value(*written);
    if (!value)
        return std::nullopt;
    out.value = *value;
    for (int step = 0; written->kind == TomlKind::String && step < kDeepestChain; ++step) {
        const std::string name = trimmed(written->text);
        const TomlValue* stated = isName(name) ? member(member(&mechanism_.text()->root(), "parameters"), name) : nullptr;
        if (stated && stated->kind == TomlKind::Table)
            stated = member(stated, "value");
        if (!stated) {
            out.expression = written->text;
            break;
        }
        out.parameter = name;
        written = stated;
    }
    if (!out.parameter.empty())
        for (const auto& p : open_.bench().system().parameters)
            if (p.quantity.name == out.parameter) {
                out.least = std::max(out.least, p.quantity.minimum);
                out.most = p.quantity.maximum;
                out.zero = out.zero && !p.quantity.positive;
            }
    return out;
}

bool MechanismHandles::canSet(const EditQuantity& quantity)
{
    if (quantity.expression.empty())
        return true;
    const ModelText::Place* place = mechanism_.placeOf(quantity.id);
    return commit_.refuse("The " + quantity.path + " of " + (place ? place->words() : quantity.id)
                              + " cannot be changed with the mouse",
                          (quantity.parameter.empty() ? "it is" : "its parameter " + quantity.parameter + " is")
                              + " the expression \"" + quantity.expression + "\"",
                          "change a parameter in it, or write a number in its place");
}

bool MechanismHandles::setQuantity(const EditQuantity& quantity, double value)
{
    const ModelText::Place* place = mechanism_.placeOf(quantity.id);
    if (!place || !canSet(quantity) || !std::isfinite(value))
        return false;
    value = std::clamp(value, quantity.least, quantity.most);
    if (!(value > 0) && !quantity.zero)
        return commit_.refuse("The " + quantity.path + " of " + place->words() + " must be above zero", "",
                              "pull its handle less far");
    ModelText text = *mechanism_.text();
    const QString what = tr("%1 of %2")
                             .arg(QString::fromStdString(quantity.path),
                                  QString::fromStdString(place->name.empty() ? place->words() : place->name));
    const std::string written = model::tomlNumber(value);
    Result<void> done;
    if (!quantity.parameter.empty()) {
        done = text.setParameter(quantity.parameter, written);
    } else {
        std::vector<ModelText::FieldChange> changes{{place->kind, place->number, quantity.path, written}};
        const TomlValue* inertia = member(mechanism_.text()->table(place->kind, place->number), "inertia");
        if (quantity.path == "mass" && inertia && inertia->isNumber() && quantity.value > 0) // the same shape, heavier
            changes.push_back(
                {place->kind, place->number, "inertia", model::tomlNumber(inertia->number * value / quantity.value)});
        done = text.setFields(changes);
    }
    if (done && quantity.path == "length")
        commit_.assemble(text);
    return commit_.commitResult(done, text, what, {quantity.id});
}

bool MechanismHandles::moveEnd(const std::string& name, int end, QPointF to)
{
    const EditBody* body = mechanism_.geometry().body(name);
    if (!body || body->shape != EditShape::Bar)
        return false;
    if (!body->literal)
        return commit_.refuse("The ends of " + name + " cannot be moved with the mouse",
                              "they are stated by its joints or as expressions over parameters",
                              "change the parameter, or state the shape in numbers");
    const QPointF kept = body->toPlane(body->ends[1 - end]), way = end == 1 ? to - kept : kept - to;
    const double now = length(way), before = length(body->ends[1] - body->ends[0]);
    if (now < 1e-6)
        return commit_.refuse("A bar needs a length", "both ends would lie in one point", "pull the end further away");
    // Its axis goes from end 0 to end 1 through the centre of mass, which stays where it is in proportion.
    const double share = before > 0 ? -body->ends[0].x() / before : 0.5;
    const bool straight = std::abs(body->ends[0].y()) < 1e-9 && std::abs(body->ends[1].y()) < 1e-9 && share > 0 && share < 1;
    if (!straight)
        return commit_.refuse("The ends of " + name + " cannot be moved with the mouse",
                              "its centre of mass does not lie between them", "change its shape in the table or the text");
    const QPointF first = end == 1 ? kept : to, centre = first + share * way;
    const double angle = body->angle + std::remainder(std::atan2(way.y(), way.x()) - body->angle, 2 * std::acos(-1.0));
    ModelText text = commit_.draft();
    const double scale = now / before;
    std::vector<ModelText::FieldChange> changes{{"body", body->table, "x.start", model::tomlPlace(centre.x())},
                                                {"body", body->table, "y.start", model::tomlPlace(centre.y())},
                                                {"body", body->table, "angle.start", angleText(angle)},
                                                {"body", body->table, "shape.from", model::tomlPair(-share * now, 0)},
                                                {"body", body->table, "shape.to", model::tomlPair((1 - share) * now, 0)}};
    const model::TomlValue* table = text.table("body", body->table);
    if (const auto* inertia = table->find("inertia"); inertia && inertia->value.isNumber())
        changes.push_back({"body", body->table, "inertia",
                           model::tomlNumber(inertia->value.number * scale * scale)}); // the same mass, stretched
    for (const EditLink& link : mechanism_.geometry().links)
        for (const auto& [key, at] : {std::pair{"from.at", &link.from}, std::pair{"to.at", &link.to}})
            if (at->body == name && !at->at.isNull())
                changes.push_back({link.place.kind, link.place.number, key, model::tomlPair(at->at.x() * scale, at->at.y())});
    const auto done = text.setFields(changes);
    if (done)
        commit_.assemble(text);
    return commit_.commitResult(done, text, tr("length of %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismHandles::setRadius(const std::string& name, double radius)
{
    const EditBody* body = mechanism_.geometry().body(name);
    if (!body || body->shape != EditShape::Disc || !(radius > 1e-6))
        return false;
    if (!body->literal)
        return commit_.refuse("The radius of " + name + " cannot be changed with the mouse",
                              "it follows from its mass and inertia, or is an expression", "change it in the table");
    ModelText text = *mechanism_.text();
    std::vector<ModelText::FieldChange> changes{{"body", body->table, "shape.radius", model::tomlPlace(radius)}};
    const model::TomlValue* table = text.table("body", body->table);
    if (const auto* inertia = table->find("inertia"); inertia && inertia->value.isNumber() && body->radius > 0)
        changes.push_back(
            {"body", body->table, "inertia", model::tomlNumber(inertia->value.number * std::pow(radius / body->radius, 2))});
    return commit_.commitResult(text.setFields(changes), text, tr("radius of %1").arg(QString::fromStdString(name)), {name});
}

} // namespace driftless::ui
