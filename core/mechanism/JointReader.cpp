// The tables [[joint]]: name and ends; the entry of the kind reads the rest.
#include <algorithm>

#include "core/mechanism/JointTable.h"

namespace driftless::model {

PlacedExpr JointTable::placed(std::string_view key, const Scope& scope) const
{
    const JointKey* stated = entry_.key(key);
    if (stated && stated->needed())
        return readExpression(need(key), scope, where(), key);
    return readExpression(table_, key, scope, expr::Expr(0));
}

const TomlValue& JointTable::need(std::string_view key) const
{
    const JointKey* stated = entry_.key(key);
    return table_.need(key, stated ? stated->remedy : std::string());
}

std::array<double, 2> JointTable::rail() const
{
    const auto drawn = table_.numbers("drawn", 2);
    return drawn ? std::array{(*drawn)[0], (*drawn)[1]} : std::array{-1.5, 1.5};
}

std::array<double, 3> JointTable::axis(std::string_view key, const std::array<double, 3>& fallback) const
{
    return context_.readAxis(table_, std::string(key), fallback);
}

void JointTable::needRigid(const Attachment& end, std::string_view key, const std::string& why) const
{
    if (context_.isPoint(end.body))
        refuseAt(key, "\"" + context_.body(end.body).name + "\" is a point mass", why, "make the body rigid");
}

void JointTable::needBothRigid(const Joint& joint, const std::string& why) const
{
    needRigid(joint.from, "from", why);
    needRigid(joint.to, "to", why);
}

namespace {

void readJointEnds(const MechanismContext& context, const TableReader& table, Joint& joint)
{
    if (joint.entry->key("from"))
        context.readEnds(table, joint.from, joint.to);
    else if (joint.entry->key("to"))
        joint.to = context.readAttachment(table, "to");
}

} // namespace

bool actsInJoint(const MechanismContext& context, const TomlValue& value)
{
    const TomlEntry* kind = value.find("kind");
    const JointEntry* entry =
        kind && kind->value.kind == TomlKind::String ? jointEntry(kind->value.text, context.space() ? 3 : 2) : nullptr;
    return entry && std::ranges::any_of(entry->keys, [](const JointKey& key) { return key.type == JointKeyType::Joint; });
}

void readJoint(MechanismContext& context, const TomlValue& value, int number)
{
    const int dimensions = context.space() ? 3 : 2;
    const std::string where = MechanismContext::label(value, "joint", number);
    const std::string word = MechanismContext::readKind(value, value.position, where, jointKeys(), jointWords(dimensions));
    Joint joint;
    joint.entry = jointEntry(word, dimensions);
    KeyList keys{"name", "kind"};
    for (const JointKey& key : joint.entry->keys)
        keys.push_back(key.name);
    const TableReader table(value, value.position, where, keys);
    joint.name = context.newName(table, "joint");
    joint.position = value.position;
    readJointEnds(context, table, joint);
    joint.form = joint.entry->read(JointTable(context, table, *joint.entry), joint);
    context.jointIndex.emplace(joint.name, number - 1);
    context.out.joints[static_cast<std::size_t>(number - 1)] = std::move(joint);
}

} // namespace driftless::model
