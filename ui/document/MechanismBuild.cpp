// Placing bodies, joining them, deleting, duplicating, copying: each writes tables of the model's text.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/document/Document.h"
#include "ui/document/MechanismEditor.h"

namespace driftless::ui {

using model::ModelText;
using model::tomlNumber;
using model::tomlPair;
using model::tomlPlace;
using model::tomlString;

namespace {

constexpr double kLeastLength = 1e-6;               ///< [m]
constexpr double kStiffness = 100;                  ///< [N/m] of a new spring: a kilogram hangs 0.1 m deep
constexpr double kRailPart = std::numbers::pi / 12; ///< rails lie at multiples of 15 degrees
constexpr qsizetype kMostPasted = 1 << 20;
constexpr std::size_t kMostPastedTables = 2000;

double distance(QPointF p) { return std::hypot(p.x(), p.y()); }

/// A multiple of 15 degrees as it is written by hand: "pi/6".
std::string railAngle(int parts)
{
    if (parts == 0)
        return "0";
    const int common = std::gcd(std::abs(parts), 12), up = std::abs(parts) / common, down = 12 / common;
    return std::string("\"") + (parts < 0 ? "-" : "") + (up == 1 ? "" : std::to_string(up) + "*") + "pi"
           + (down == 1 ? "" : "/" + std::to_string(down)) + "\"";
}

} // namespace

std::string MechanismEditor::endText(const EditEnd& end) const
{
    const bool centre = std::abs(end.at.x()) < 5e-7 && std::abs(end.at.y()) < 5e-7; // below what is written
    if (centre)
        return tomlString(end.body);
    return "{ body = " + tomlString(end.body) + ", at = " + tomlPair(end.at.x(), end.at.y()) + " }";
}

bool MechanismEditor::addBody(const std::string& stem, ModelText::Fields fields)
{
    if (!plane())
        return refuse(
            "Bodies are placed by mouse in plane mechanisms", text_ ? "this model stands in space" : "no mechanism is open",
            text_ ? "add a table [[body]] in the text; tree and properties work for it" : "begin a new mechanism (Ctrl+N)");
    ModelText text = draft();
    const std::string name = text.freshName(stem);
    fields.insert(fields.begin(), {"name", tomlString(name)});
    return commitResult(text.addTable("body", fields), text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismEditor::addPoint(QPointF at)
{
    return addBody("mass", {{"kind", "\"point\""}, {"mass", "1"}, {"x", tomlPlace(at.x())}, {"y", tomlPlace(at.y())}});
}

bool MechanismEditor::addBar(QPointF a, QPointF b)
{
    const QPointF way = b - a, centre = 0.5 * (a + b);
    const double l = distance(way);
    if (l < kLeastLength)
        return refuse("A bar needs a length", "both ends lie in one point", "press at one end and release at the other");
    return addBody("bar",
                   {{"kind", "\"rigid\""},
                    {"mass", "1"},
                    {"inertia", tomlNumber(l * l / 12)},
                    {"x", tomlPlace(centre.x())},
                    {"y", tomlPlace(centre.y())},
                    {"angle", tomlPlace(std::atan2(way.y(), way.x()))},
                    {"shape", "{ kind = \"bar\", from = " + tomlPair(-l / 2, 0) + ", to = " + tomlPair(l / 2, 0) + " }"}});
}

bool MechanismEditor::addDisc(QPointF centre, QPointF rim)
{
    const double r = distance(rim - centre);
    if (r < kLeastLength)
        return refuse("A disc needs a radius", "", "press at its centre and release at its rim");
    return addBody("disc", {{"kind", "\"rigid\""},
                            {"mass", "1"},
                            {"inertia", tomlNumber(r * r / 2)},
                            {"x", tomlPlace(centre.x())},
                            {"y", tomlPlace(centre.y())},
                            {"shape", "{ kind = \"disc\", radius = " + tomlPlace(r) + " }"}});
}

bool MechanismEditor::addBlock(QPointF corner, QPointF opposite)
{
    const QPointF centre = 0.5 * (corner + opposite);
    const double w = std::abs(opposite.x() - corner.x()), h = std::abs(opposite.y() - corner.y());
    if (w < kLeastLength || h < kLeastLength)
        return refuse("A block needs a width and a height", "", "press at one corner and release at the opposite one");
    return addBody("block", {{"kind", "\"rigid\""},
                             {"mass", "1"},
                             {"inertia", tomlNumber((w * w + h * h) / 12)},
                             {"x", tomlPlace(centre.x())},
                             {"y", tomlPlace(centre.y())},
                             {"shape", "{ kind = \"block\", width = " + tomlPlace(w) + ", height = " + tomlPlace(h) + " }"}});
}

bool MechanismEditor::addJoint(const std::string& kind, const EditEnd& a, const EditEnd& b)
{
    if (!text_ || a.body == b.body)
        return refuse("A joint binds two bodies, or a body and the ground",
                      a.onGround() ? "there is no body here" : "both points are on " + a.body,
                      "choose a point where a body is");
    if (const EditLink* known = geometry_.jointBetween(a, b))
        return refuse("These points are joined already",
                      known->place.name + " is a " + known->kind + " here, and a second joint would repeat it",
                      "delete " + known->place.name + " first, or join another point");
    const bool swaps = b.onGround(); // the ground comes first
    const EditEnd &from = swaps ? b : a, &to = swaps ? a : b;
    ModelText text = draft();
    const std::string name = text.freshName(kind);
    ModelText::Fields fields{
        {"name", tomlString(name)}, {"kind", tomlString(kind)}, {"from", endText(from)}, {"to", endText(to)}};
    const EditBody *first = geometry_.body(from.body), *second = geometry_.body(to.body);
    if (kind == "weld")
        if (const double turn = (second && second->rigid ? second->angle : 0) - (first && first->rigid ? first->angle : 0);
            std::abs(turn) > 5e-7)
            fields.emplace_back("turn", tomlPlace(turn));
    const auto done = text.addTable("joint", fields);
    if (done)
        assemble(text);
    return commitResult(done, text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismEditor::joinAt(const std::string& kind, QPointF place, double reach)
{
    std::vector<EditEnd> ends = geometry_.endsAt(place, reach);
    if (ends.empty())
        if (const EditEnd on = geometry_.endAt(place, reach); !on.onGround())
            ends.push_back(on);
    if (ends.empty())
        return refuse("There is no body here to be joined", "", "click on a body, or where two bodies meet");
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) // one after the other, as a pin through all of them
        if (!geometry_.joined(ends[i].body, ends[i + 1].body))
            return addJoint(kind, ends[i], ends[i + 1]);
    for (const EditEnd& end : ends)
        if (geometry_.joined("ground", end.body) && ends.size() > 1)
            return refuse("Everything is joined here already", "", "move on to another point");
    EditEnd ground{"ground", geometry_.place(ends.front())};
    return addJoint(kind, ground, ends.front());
}

bool MechanismEditor::addRod(const EditEnd& a, const EditEnd& b)
{
    const double l = distance(geometry_.place(b) - geometry_.place(a));
    if (!text_ || a.body == b.body || l < kLeastLength)
        return refuse("A rod goes from one body to another, or to the ground",
                      a.body == b.body ? "both ends are on " + (a.onGround() ? std::string("the ground") : a.body)
                                       : "it has no length",
                      "press at a point of a body and release at a point of another one");
    if (const EditLink* known = geometry_.jointBetween(a, b))
        return refuse("There is a rod between these points",
                      known->place.name + " keeps their distance, and a second rod would repeat it",
                      "choose another point, or change the length of " + known->place.name);
    ModelText text = draft();
    const std::string name = text.freshName("rod");
    const bool swaps = b.onGround();
    return commitResult(text.addTable("joint", {{"name", tomlString(name)},
                                                {"kind", "\"rod\""},
                                                {"from", endText(swaps ? b : a)},
                                                {"to", endText(swaps ? a : b)},
                                                {"length", tomlPlace(l)}}),
                        text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismEditor::addSpring(const EditEnd& a, const EditEnd& b)
{
    const double l = distance(geometry_.place(b) - geometry_.place(a));
    if (!text_ || a.body == b.body || l < kLeastLength)
        return refuse("A spring goes from one body to another, or to the ground",
                      a.body == b.body ? "both ends are on " + (a.onGround() ? std::string("the ground") : a.body)
                                       : "it has no length",
                      "press at a point of a body and release at a point of another one");
    ModelText text = draft();
    const std::string name = text.freshName("spring");
    const bool swaps = b.onGround();
    return commitResult(text.addTable("force", {{"name", tomlString(name)},
                                                {"kind", "\"spring-damper\""},
                                                {"from", endText(swaps ? b : a)},
                                                {"to", endText(swaps ? a : b)},
                                                {"stiffness", tomlNumber(kStiffness)},
                                                {"damping", "0"},
                                                {"length", tomlPlace(l)}}),
                        text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismEditor::addRail(const EditEnd& end, QPointF towards)
{
    const EditBody* body = geometry_.body(end.body);
    if (!text_ || !body)
        return refuse("A rail guides a body", "there is no body at this point",
                      "press on a point of a body and pull along the rail");
    const QPointF at = geometry_.place(end), way = towards - at;
    int parts = static_cast<int>(std::lround(std::atan2(way.y(), way.x()) / kRailPart));
    parts = distance(way) < kLeastLength ? 0 : ((parts % 12) + 12) % 12; // a rail has no direction
    const double reach = distance(way) < kLeastLength ? 1.0 : distance(way);
    if (const EditLink* known = geometry_.jointBetween({"ground", at}, end))
        return refuse("This point is joined to the ground already", known->place.name + " is a " + known->kind + " here",
                      "delete " + known->place.name + " first");
    ModelText text = draft();
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
        fields.emplace_back("turn", tomlPlace(body->angle));
    fields.emplace_back("drawn", tomlPair(-reach, reach));
    return commitResult(text.addTable("joint", fields), text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismEditor::remove(const std::vector<std::string>& ids)
{
    if (!text_ || ids.empty())
        return false;
    ModelText text = draft();
    QStringList went;
    QString what;
    for (const std::string& id : ids) {
        const ModelText::Place* place = placeOf(id);
        if (!place)
            continue;
        if (what.isEmpty())
            what = QString::fromStdString(place->words());
        if (place->name.empty()) {
            if (const auto done = text.removeTable(place->kind, place->number); !done)
                return commitResult(done, text, {});
            continue;
        }
        if (!text.find(place->name))
            continue; // went with another one
        const auto gone = text.remove(place->name);
        if (!gone)
            return commitResult(gone.error(), text, {});
        for (const auto& other : *gone)
            if (std::find(ids.begin(), ids.end(), idOf(other)) == ids.end() && other.kind != "chart")
                went << QString::fromStdString(other.words());
    }
    if (!commit(std::move(text), ids.size() > 1 ? tr("remove the selection") : tr("remove %1").arg(what)))
        return false;
    if (!went.isEmpty())
        emit told(tr("With it went %1.").arg(went.join(QStringLiteral(", "))));
    return true;
}

QString MechanismEditor::copied() const
{
    if (!text_)
        return {};
    const ModelText text = draft();
    const auto within = [&](const std::string& name) { return !name.empty() && selected(name); };
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
        const EditLink* link = place.name.empty() ? nullptr : geometry_.link(place.name);
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

bool MechanismEditor::paste(const QString& tables, double offset)
{
    if (!text_)
        return false;
    if (tables.size() > kMostPasted)
        return refuse("The clipboard holds too much", "a copied part of a mechanism stays below one megabyte",
                      "copy fewer bodies");
    auto read = ModelText::read(tables.toStdString(), "clipboard");
    if (!read || read->count("body") == 0 || read->places().size() > kMostPastedTables)
        return refuse("The clipboard holds no part of a mechanism", read ? "there is no body in it" : read.error().what,
                      "select bodies and copy them first");
    ModelText part = std::move(read).value(), text = draft();
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
                return commitResult(done, text, {});
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
                const auto* entry = table->find(std::string_view(path, 1));
                value = entry->value.isNumber()      ? entry->value.number
                        : entry->value.find("start") ? entry->value.find("start")->value.number
                                                     : 0;
            }
            const std::string written =
                number ? tomlPlace(value + way) : "\"(" + before.substr(1, before.size() - 2) + ") + " + tomlPlace(way) + "\"";
            if (const auto done = part.setField("body", place.number, path, written); !done)
                return commitResult(done, text, {});
        }
    }
    for (const auto& place : part.places()) {
        const auto span = part.span(place.kind, place.number);
        if (const auto done = text.addText(place.kind, std::string_view(part.text()).substr(span.begin, span.end - span.begin));
            !done)
            return commitResult(done, text, {});
    }
    return commit(std::move(text),
                  bodies.size() == 1 ? tr("add %1").arg(QString::fromStdString(bodies.front()))
                                     : tr("add %1 bodies").arg(bodies.size()),
                  bodies);
}

bool MechanismEditor::duplicate(double offset)
{
    const QString tables = copied();
    if (tables.isEmpty())
        return refuse("There is nothing to duplicate", "no body is selected", "select one or more bodies first");
    return paste(tables, offset);
}

} // namespace driftless::ui
