#include "ui/document/MechanismBuilder.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "core/text/Escapes.h"
#include "ui/document/EditDraft.h"

namespace driftless::ui {

using model::ModelText;
using model::tomlNumber;
using model::tomlPair;
using model::tomlPlace;
using text::tomlString;

namespace {

constexpr double kLeastLength = 1e-6; ///< [m]
constexpr double kStiffness = 100;    ///< [N/m] of a new spring: a kilogram hangs 0.1 m deep
constexpr qsizetype kMostPasted = 1 << 20;
constexpr std::size_t kMostPastedTables = 2000;

/// Why nothing can be stretched between these ends.
std::string noStretch(const EditEnd& a, const EditEnd& b)
{
    if (a.body != b.body)
        return "it has no length";
    return "both ends are on " + (a.onGround() ? std::string("the ground") : a.body);
}

} // namespace

MechanismBuilder::MechanismBuilder(const EditedMechanism& mechanism, const EditSelection& selection, EditCommit& commit)
    : mechanism_(mechanism), selection_(selection), commit_(commit)
{
}

bool MechanismBuilder::addBody(const std::string& stem, ModelText::Fields fields)
{
    if (!mechanism_.plane())
        return commit_.refuse("Bodies are placed by mouse in plane mechanisms",
                              mechanism_.editable() ? "this model stands in space" : "no mechanism is open",
                              mechanism_.editable() ? "add a table [[body]] in the text; tree and properties work for it"
                                                    : "begin a new mechanism (Ctrl+N)");
    ModelText text = commit_.draft();
    const std::string name = text.freshName(stem);
    fields.insert(fields.begin(), {"name", tomlString(name)});
    return commit_.commitResult(text.addTable("body", fields), text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismBuilder::addPoint(QPointF at)
{
    return addBody("mass", {{"kind", "\"point\""}, {"mass", "1"}, {"x", tomlPlace(at.x())}, {"y", tomlPlace(at.y())}});
}

bool MechanismBuilder::addBar(QPointF a, QPointF b)
{
    const QPointF way = b - a, centre = 0.5 * (a + b);
    const double l = length(way);
    if (l < kLeastLength)
        return commit_.refuse("A bar needs a length", "both ends lie in one point",
                              "press at one end and release at the other");
    return addBody("bar",
                   {{"kind", "\"rigid\""},
                    {"mass", "1"},
                    {"inertia", tomlNumber(l * l / 12)},
                    {"x", tomlPlace(centre.x())},
                    {"y", tomlPlace(centre.y())},
                    {"angle", angleText(std::atan2(way.y(), way.x()))},
                    {"shape", "{ kind = \"bar\", from = " + tomlPair(-l / 2, 0) + ", to = " + tomlPair(l / 2, 0) + " }"}});
}

bool MechanismBuilder::addDisc(QPointF centre, QPointF rim)
{
    const double r = length(rim - centre);
    if (r < kLeastLength)
        return commit_.refuse("A disc needs a radius", "", "press at its centre and release at its rim");
    return addBody("disc", {{"kind", "\"rigid\""},
                            {"mass", "1"},
                            {"inertia", tomlNumber(r * r / 2)},
                            {"x", tomlPlace(centre.x())},
                            {"y", tomlPlace(centre.y())},
                            {"shape", "{ kind = \"disc\", radius = " + tomlPlace(r) + " }"}});
}

bool MechanismBuilder::addBlock(QPointF corner, QPointF opposite)
{
    const QPointF centre = 0.5 * (corner + opposite);
    const double w = std::abs(opposite.x() - corner.x()), h = std::abs(opposite.y() - corner.y());
    if (w < kLeastLength || h < kLeastLength)
        return commit_.refuse("A block needs a width and a height", "", "press at one corner and release at the opposite one");
    return addBody("block", {{"kind", "\"rigid\""},
                             {"mass", "1"},
                             {"inertia", tomlNumber((w * w + h * h) / 12)},
                             {"x", tomlPlace(centre.x())},
                             {"y", tomlPlace(centre.y())},
                             {"shape", "{ kind = \"block\", width = " + tomlPlace(w) + ", height = " + tomlPlace(h) + " }"}});
}

bool MechanismBuilder::addJoint(const std::string& kind, const EditEnd& a, const EditEnd& b)
{
    if (!mechanism_.editable() || a.body == b.body)
        return commit_.refuse("A joint binds two bodies, or a body and the ground",
                              a.onGround() ? "there is no body here" : "both points are on " + a.body,
                              "choose a point where a body is");
    if (const EditLink* known = mechanism_.geometry().jointBetween(a, b))
        return commit_.refuse("These points are joined already",
                              known->place.name + " is a " + known->kind + " here, and a second joint would repeat it",
                              "delete " + known->place.name + " first, or join another point");
    const bool swaps = b.onGround(); // the ground comes first
    const EditEnd &from = swaps ? b : a, &to = swaps ? a : b;
    ModelText text = commit_.draft();
    const std::string name = text.freshName(kind);
    ModelText::Fields fields{
        {"name", tomlString(name)}, {"kind", tomlString(kind)}, {"from", endText(from)}, {"to", endText(to)}};
    const EditBody *first = mechanism_.geometry().body(from.body), *second = mechanism_.geometry().body(to.body);
    if (kind == "weld")
        if (const double turn = (second && second->rigid ? second->angle : 0) - (first && first->rigid ? first->angle : 0);
            std::abs(turn) > 5e-7)
            fields.emplace_back("turn", angleText(turn));
    const auto done = text.addTable("joint", fields);
    if (done)
        commit_.assemble(text);
    return commit_.commitResult(done, text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismBuilder::joinAt(const std::string& kind, QPointF place, double reach)
{
    std::vector<EditEnd> ends = mechanism_.geometry().endsAt(place, reach);
    if (ends.empty())
        if (const EditEnd on = mechanism_.geometry().endAt(place, reach); !on.onGround())
            ends.push_back(on);
    if (ends.empty())
        return commit_.refuse("There is no body here to be joined", "", "click on a body, or where two bodies meet");
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) // one after the other, as a pin through all of them
        if (!mechanism_.geometry().joined(ends[i].body, ends[i + 1].body))
            return addJoint(kind, ends[i], ends[i + 1]);
    for (const EditEnd& end : ends)
        if (mechanism_.geometry().joined("ground", end.body) && ends.size() > 1)
            return commit_.refuse("Everything is joined here already", "", "move on to another point");
    EditEnd ground{"ground", mechanism_.geometry().place(ends.front())};
    return addJoint(kind, ground, ends.front());
}

bool MechanismBuilder::stretches(const std::string& stem, const EditEnd& a, const EditEnd& b)
{
    const EditGeometry& geometry = mechanism_.geometry();
    if (mechanism_.editable() && a.body != b.body && length(geometry.place(b) - geometry.place(a)) >= kLeastLength)
        return true;
    return commit_.refuse("A " + stem + " goes from one body to another, or to the ground", noStretch(a, b),
                          "press at a point of a body and release at a point of another one");
}

bool MechanismBuilder::addBetween(const Between& what, const EditEnd& a, const EditEnd& b)
{
    if (!stretches(what.stem, a, b))
        return false;
    ModelText text = commit_.draft();
    const std::string name = text.freshName(what.stem);
    const bool swaps = b.onGround(); // the ground comes first
    ModelText::Fields fields{{"name", tomlString(name)},
                             {"kind", tomlString(what.kind)},
                             {"from", endText(swaps ? b : a)},
                             {"to", endText(swaps ? a : b)}};
    fields.insert(fields.end(), what.fields.begin(), what.fields.end());
    fields.emplace_back("length", tomlPlace(length(mechanism_.geometry().place(b) - mechanism_.geometry().place(a))));
    return commit_.commitResult(text.addTable(what.table, fields), text, tr("add %1").arg(QString::fromStdString(name)),
                                {name});
}

bool MechanismBuilder::addRod(const EditEnd& a, const EditEnd& b)
{
    if (!stretches("rod", a, b))
        return false;
    if (const EditLink* known = mechanism_.geometry().jointBetween(a, b))
        return commit_.refuse("There is a rod between these points",
                              known->place.name + " keeps their distance, and a second rod would repeat it",
                              "choose another point, or change the length of " + known->place.name);
    return addBetween({.stem = "rod", .table = "joint", .kind = "rod", .fields = {}}, a, b);
}

bool MechanismBuilder::addSpring(const EditEnd& a, const EditEnd& b)
{
    return addBetween({.stem = "spring",
                       .table = "force",
                       .kind = "spring-damper",
                       .fields = {{"stiffness", tomlNumber(kStiffness)}, {"damping", "0"}}},
                      a, b);
}

bool MechanismBuilder::addRail(const EditEnd& end, QPointF towards)
{
    const EditBody* body = mechanism_.geometry().body(end.body);
    if (!mechanism_.editable() || !body)
        return commit_.refuse("A rail guides a body", "there is no body at this point",
                              "press on a point of a body and pull along the rail");
    const QPointF at = mechanism_.geometry().place(end), way = towards - at;
    int parts = static_cast<int>(std::lround(std::atan2(way.y(), way.x()) / kRailPart));
    parts = length(way) < kLeastLength ? 0 : ((parts % 12) + 12) % 12; // a rail has no direction
    const double reach = length(way) < kLeastLength ? 1.0 : length(way);
    if (const EditLink* known = mechanism_.geometry().jointBetween({"ground", at}, end))
        return commit_.refuse("This point is joined to the ground already",
                              known->place.name + " is a " + known->kind + " here", "delete " + known->place.name + " first");
    ModelText text = commit_.draft();
    const std::string name = text.freshName("rail");
    ModelText::Fields fields{{"name", tomlString(name)},
                             {"kind", "\"slider\""},
                             {"from", endText({"ground", at})},
                             {"to", endText(end)},
                             {"angle", railAngle(parts)}};
    const bool turns = body->rigid && (body->shape == EditShape::Bar || !end.at.isNull());
    if (turns) // a pin in a slot
        fields.emplace_back("turns", "true");
    else if (body->rigid && std::abs(body->angle) > 5e-7)
        fields.emplace_back("turn", angleText(body->angle));
    fields.emplace_back("drawn", tomlPair(-reach, reach));
    return commit_.commitResult(text.addTable("joint", fields), text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismBuilder::remove(const std::vector<std::string>& ids)
{
    if (!mechanism_.editable() || ids.empty())
        return false;
    ModelText text = commit_.draft();
    QStringList went;
    QString what;
    for (const std::string& id : ids) {
        const ModelText::Place* place = mechanism_.placeOf(id);
        if (!place)
            continue;
        if (what.isEmpty())
            what = QString::fromStdString(place->words());
        if (place->name.empty()) {
            if (const auto done = text.removeTable(place->kind, place->number); !done)
                return commit_.commitResult(done, text, {});
            continue;
        }
        if (!text.find(place->name))
            continue; // went with another one
        const auto gone = text.remove(place->name);
        if (!gone)
            return commit_.commitResult(gone.error(), text, {});
        for (const auto& other : *gone)
            if (std::find(ids.begin(), ids.end(), EditedMechanism::idOf(other)) == ids.end() && other.kind != "chart")
                went << QString::fromStdString(other.words());
    }
    if (!commit_.commit(std::move(text), ids.size() > 1 ? tr("remove the selection") : tr("remove %1").arg(what)))
        return false;
    if (!went.isEmpty())
        emit commit_.told(tr("With it went %1.").arg(went.join(QStringLiteral(", "))));
    return true;
}

QString MechanismBuilder::copied() const
{
    if (!mechanism_.editable())
        return {};
    const ModelText text = commit_.draft();
    const auto within = [&](const std::string& name) { return !name.empty() && selection_.contains(name); };
    QStringList out;
    const auto add = [&](const ModelText::Place& place) {
        const auto span = text.span(place.kind, place.number);
        out << QString::fromStdString(text.text().substr(span.begin, span.end - span.begin));
    };
    std::set<std::string> joints;
    for (const auto& place : text.places())
        if (place.kind == "body" && within(place.name))
            add(place);
    if (out.isEmpty())
        return {};
    for (const auto& place : text.places()) {
        const EditLink* link = place.name.empty() ? nullptr : mechanism_.geometry().link(place.name);
        const std::string joint = place.kind == "force" ? text.fieldText("force", place.number, "joint") : std::string();
        const bool of = joint.size() > 2 && joints.contains(joint.substr(1, joint.size() - 2));
        if ((link && within(link->from.body) && within(link->to.body)) || of) {
            add(place);
            if (place.kind == "joint")
                joints.insert(place.name);
        }
    }
    return out.join(QStringLiteral("\n\n")) + u'\n';
}

bool MechanismBuilder::paste(const QString& tables, double offset)
{
    if (!mechanism_.editable())
        return false;
    if (tables.size() > kMostPasted)
        return commit_.refuse("The clipboard holds too much", "a copied part of a mechanism stays below one megabyte",
                              "copy fewer bodies");
    auto read = ModelText::read(tables.toStdString(), "clipboard");
    if (!read || read->count("body") == 0 || read->places().size() > kMostPastedTables)
        return commit_.refuse("The clipboard holds no part of a mechanism", read ? "there is no body in it" : read.error().what,
                              "select bodies and copy them first");
    ModelText part = std::move(read).value(), text = commit_.draft();
    std::vector<std::string> bodies;
    for (const ModelText::Place& place : std::vector(part.places())) {
        std::string name = place.name;
        if (!name.empty() && text.taken(name)) {
            int k = 0;
            std::string stem = name;
            while (stem.size() > 1 && std::isdigit(static_cast<unsigned char>(stem.back())))
                stem.pop_back();
            do
                name = stem + std::to_string(++k);
            while (text.taken(name) || part.taken(name));
            if (const auto done = part.rename(place.name, name); !done)
                return commit_.commitResult(done, text, {});
        }
        if (place.kind != "body")
            continue;
        bodies.push_back(name);
        for (const char* path : {"x.start", "y.start"}) {
            const double way = path[0] == 'x' ? offset : -offset;
            const std::string before = part.fieldText("body", place.number, path);
            const model::TomlValue* table = part.table("body", place.number);
            const bool number = before.empty() || before.front() != '"';
            double value = 0;
            if (number && !before.empty()) {
                const auto& stated = table->find(std::string_view(path, 1))->value;
                if (stated.isNumber())
                    value = stated.number;
                else if (const auto* start = stated.find("start"))
                    value = start->value.number;
            }
            const std::string written =
                number ? tomlPlace(value + way) : "\"(" + before.substr(1, before.size() - 2) + ") + " + tomlPlace(way) + "\"";
            if (const auto done = part.setField("body", place.number, path, written); !done)
                return commit_.commitResult(done, text, {});
        }
    }
    for (const auto& place : part.places()) {
        const auto span = part.span(place.kind, place.number);
        if (const auto done = text.addText(place.kind, std::string_view(part.text()).substr(span.begin, span.end - span.begin));
            !done)
            return commit_.commitResult(done, text, {});
    }
    return commit_.commit(std::move(text),
                          bodies.size() == 1 ? tr("add %1").arg(QString::fromStdString(bodies.front()))
                                             : tr("add %1 bodies").arg(bodies.size()),
                          bodies);
}

bool MechanismBuilder::duplicate(double offset)
{
    const QString tables = copied();
    if (tables.isEmpty())
        return commit_.refuse("There is nothing to duplicate", "no body is selected", "select one or more bodies first");
    return paste(tables, offset);
}

bool MechanismBuilder::rename(const std::string& id, const QString& to)
{
    const auto* place = mechanism_.placeOf(id);
    if (!place)
        return false;
    ModelText text = *mechanism_.text();
    const std::string name = to.trimmed().toStdString();
    const auto done = place->name.empty() ? text.setField(place->kind, place->number, "name", text::tomlString(name))
                                          : text.rename(place->name, name);
    if (name == place->name)
        return true;
    const auto renamed = std::find_if(text.places().begin(), text.places().end(),
                                      [&](const auto& p) { return p.kind == place->kind && p.number == place->number; });
    const std::string now =
        renamed == text.places().end() ? name : renamed->name; // of a table that stands for many with its index
    return commit_.commitResult(
        done, text, tr("rename %1 to %2").arg(QString::fromStdString(place->words()), QString::fromStdString(now)), {now});
}

bool MechanismBuilder::setField(const std::string& id, const std::string& path, const QString& value)
{
    const auto* place = mechanism_.placeOf(id);
    if (!place)
        return false;
    ModelText text = *mechanism_.text();
    const std::string written = value.trimmed().toStdString();
    if (written == text.fieldText(place->kind, place->number, path))
        return true;
    const auto done = written.empty() ? text.removeField(place->kind, place->number, path)
                                      : text.setField(place->kind, place->number, path, written);
    const QString shown =
        QString::fromStdString(place->name.empty() ? place->words() : place->name) + "." + QString::fromStdString(path);
    return commit_.commitResult(
        done, text, written.empty() ? tr("remove %1").arg(shown) : QStringLiteral("%1 = %2").arg(shown, value.trimmed()));
}

} // namespace driftless::ui
