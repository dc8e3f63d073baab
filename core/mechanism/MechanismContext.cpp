#include "core/mechanism/MechanismContext.h"

#include <algorithm>
#include <cmath>

#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

std::string MechanismContext::label(const TomlValue& table, const std::string& words, int number)
{
    const TomlEntry* name = table.find("name");
    const bool named = name && name->value.kind == TomlKind::String && !name->value.text.empty();
    return words + " " + (named ? text::shortened(name->value.text) : std::to_string(number));
}

std::string MechanismContext::readKind(const TomlValue& table, const SourcePosition& position, const std::string& where,
                                       const KeyList& keys, const KeyList& kinds)
{
    const TableReader reader(table, position, where, keys);
    const std::string kind = reader.needText("kind", "write kind = \"" + kinds.front() + "\"");
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
        return kind;
    const std::string near = text::nearestName(kind, kinds);
    refuse(reader.find("kind")->position, "Unknown kind \"" + text::shortened(kind) + "\"", where,
           "known are " + text::firstOf(kinds), near.empty() ? "choose one of these" : "did you mean \"" + near + "\"?");
}

std::string MechanismContext::readName(const TableReader& table, const std::string& words,
                                       std::unordered_set<std::string>& taken)
{
    std::string name = table.needText("name", "write name = \"...\"");
    const SourcePosition& position = table.find("name")->position;
    checkName(name, position, words);
    if (name == "ground")
        refuse(position, "\"ground\" cannot name a " + words, "", "it stands for the fixed frame", "choose another name");
    if (!taken.insert(name).second)
        refuse(position, "The name \"" + name + "\" is used twice", words + " " + name,
               "bodies, joints and forces are told apart by their names", "choose another name");
    return name;
}

int MechanismContext::findBody(const std::string& name, const SourcePosition& at, const std::string& where) const
{
    if (name == "ground")
        return kGround;
    if (const auto found = bodyIndex.find(name); found != bodyIndex.end())
        return found->second;
    std::vector<std::string> known{"ground"};
    for (const Body& b : out.bodies)
        known.push_back(b.name);
    const std::string near = text::nearestName(name, known);
    refuse(at, "There is no body \"" + text::shortened(name) + "\"", where, "the bodies are " + text::firstOf(known),
           near.empty() ? "name one of these" : "did you mean \"" + near + "\"?");
}

int MechanismContext::neededBody(const TomlValue& value, const std::string& where, const std::string& key) const
{
    if (value.kind != TomlKind::String)
        refuse(value.position, "\"" + key + "\" must be the name of a body", where, "found " + kindInWords(value.kind), "");
    return findBody(value.text, value.position, where);
}

int MechanismContext::findJoint(const TableReader& table) const
{
    const std::string name = table.needText("joint", "write joint = \"...\"");
    if (const auto found = jointIndex.find(name); found != jointIndex.end())
        return found->second;
    if (actingJoints.contains(name))
        refuse(table.find("joint")->position, "The joint \"" + text::shortened(name) + "\" acts in another joint itself",
               table.where(), "it has no turn or displacement of its own", "name the joint that it acts in, or another one");
    std::vector<std::string> known;
    for (const Joint& j : out.joints)
        if (j.entry)
            known.push_back(j.name);
    const std::string near = text::nearestName(name, known);
    refuse(table.find("joint")->position, "There is no joint \"" + text::shortened(name) + "\"", table.where(),
           known.empty() ? "the model has no joints" : "the joints are " + text::firstOf(known),
           near.empty() ? "name a joint" : "did you mean \"" + near + "\"?");
}

Attachment MechanismContext::readAttachment(const TableReader& owner, const std::string& key) const
{
    const TomlValue& value =
        owner.need(key, "write " + key + " = { body = \"ground\", at = " + (space() ? "[0, 0, 0] }" : "[0, 0] }"));
    Attachment end;
    if (value.kind == TomlKind::String) {
        end.body = findBody(value.text, value.position, owner.where());
        return end;
    }
    if (value.kind != TomlKind::Table)
        owner.wrongKind(value, key, "the name of a body or a table { body, at }");
    const TableReader table(value, value.position, owner.where() + ", " + key, {"body", "at"});
    end.body = neededBody(table.need("body", "write body = \"ground\""), table.where(), "body");
    if (const TomlValue* at = table.find("at"))
        readPoint(*at, table.where(), end);
    return end;
}

void MechanismContext::readPoint(const TomlValue& at, const std::string& where, Attachment& end) const
{
    const std::vector<Expr> point =
        readExpressions(at, dimensions(), end.body == kGround ? prescribed : parameters, where, "at");
    end.u = point[0];
    end.v = point[1];
    if (space())
        end.w = point[2];
    if (isPoint(end.body) && !(end.u.isZero() && end.v.isZero() && end.w.isZero()))
        refuse(at.position, "A point mass has no extent to attach to", where,
               space() ? "only [0, 0, 0] lies on it" : "only [0, 0] lies on it", "leave \"at\" out, or make the body rigid");
}

void MechanismContext::readEnds(const TableReader& table, Attachment& from, Attachment& to) const
{
    from = readAttachment(table, "from");
    to = readAttachment(table, "to");
    if (from.body != to.body)
        return;
    const std::string name = from.body == kGround ? "the ground" : body(from.body).name;
    refuse(table.keyPosition("to"), "Both ends are on " + name, table.where(), "a body cannot be joined to itself",
           "name another body in \"from\" or \"to\"");
}

std::array<double, 3> MechanismContext::readAxis(const TableReader& table, const std::string& key,
                                                 const std::array<double, 3>& fallback) const
{
    const auto numbers = table.numbers(key, 3);
    if (!numbers)
        return fallback;
    const double length = std::hypot((*numbers)[0], (*numbers)[1], (*numbers)[2]);
    if (!(length > 0) || !std::isfinite(length))
        refuse(table.keyPosition(key), "The direction has no length", table.where(), "", "write " + key + " = [0, 0, 1]");
    return {(*numbers)[0] / length, (*numbers)[1] / length, (*numbers)[2] / length};
}

std::vector<Turn> MechanismContext::readTurns(const TomlValue& value, const std::string& where) const
{
    constexpr std::size_t kMost = 16;
    std::vector<Turn> turns;
    const auto read = [&](const TomlValue& item) {
        const TableReader table(item, item.position, where + ", turn", {"axis", "angle"});
        (void)table.need("axis", "write { axis = [0, 0, 1], angle = 0.5 }");
        const Expr angle =
            readExpression(table.need("angle", "write angle = 0.5, in rad"), parameters, table.where(), "angle").value;
        turns.push_back({readAxis(table, "axis", {0, 0, 1}), angle});
    };
    if (value.kind == TomlKind::Table) {
        read(value);
        return turns;
    }
    if (value.kind != TomlKind::Array)
        refuse(value.position, "\"turn\" must be a table { axis, angle } or an array of such", where,
               "found " + kindInWords(value.kind), "");
    if (value.items.size() > kMost)
        refuse(value.position, "There are too many turns", where, "at most " + std::to_string(kMost) + " are read", "");
    for (const TomlValue& item : value.items)
        read(item);
    return turns;
}

} // namespace driftless::model
