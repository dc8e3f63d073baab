#include "core/mechanism/OutputReader.h"

#include <algorithm>
#include <array>

#include "core/mechanism/JointEntry.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

const KeyList kCommonKeys{"name", "kind", "unit", "description"};
const KeyList kOwnKeys{"value", "point", "from", "to", "frame", "joint", "body"};

struct OutputWord {
    std::string word;
    OutputKind kind;
    KeyList keys;
    JointMeasure measure = JointMeasure::Angle;
};

const std::vector<OutputWord>& words()
{
    static const std::vector<OutputWord> all{{"expression", OutputKind::Expression, {"value"}},
                                             {"position", OutputKind::Position, {"point", "frame"}},
                                             {"velocity", OutputKind::Velocity, {"point", "frame"}},
                                             {"acceleration", OutputKind::Acceleration, {"point", "frame"}},
                                             {"distance", OutputKind::Distance, {"from", "to"}},
                                             {"angle", OutputKind::Measure, {"joint"}},
                                             {"displacement", OutputKind::Measure, {"joint"}, JointMeasure::Displacement},
                                             {"rate", OutputKind::Rate, {"joint"}},
                                             {"angular-velocity", OutputKind::AngularVelocity, {"body", "frame"}},
                                             {"reaction", OutputKind::Reaction, {"joint", "frame"}},
                                             {"kinetic-energy", OutputKind::KineticEnergy, {}},
                                             {"potential-energy", OutputKind::PotentialEnergy, {}}};
    return all;
}

/// Columns that every run records.
bool isRecordedName(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kNames{"t",    "time",       "energy",         "energy_error",
                                                             "work", "h",          "order",          "kappa",
                                                             "pi",   "projection", "kinetic_energy", "potential_energy"};
    return std::ranges::find(kNames, name) != kNames.end();
}

std::string readOutputName(MechanismContext& context, const TableReader& table)
{
    std::string name = context.newName(table, "output");
    const SourcePosition& position = table.find("name")->position;
    if (isRecordedName(name) || isReservedWord(name))
        refuse(position, "\"" + name + "\" cannot name an output", table.where(),
               "the name has a meaning in expressions, or every run records it", "choose another name");
    if (context.motion.has(name))
        refuse(position, "The name \"" + name + "\" is used twice", table.where(),
               "a parameter, a coordinate or a variable has it", "choose another name");
    return name;
}

void refuseJoint(const TableReader& table, const Joint& joint, const std::string& what, const std::string& why)
{
    refuse(table.find("joint")->position, "The joint \"" + joint.name + "\" has no " + what, table.where(), why,
           "name another joint, or write the expression as value = \"...\"");
}

/// What of a joint can be read: as a force along it, or a prescribed motion, would need it.
void readOutputJoint(const MechanismContext& context, const TableReader& table, const std::string& word, StatedOutput& out)
{
    out.joint = context.findJoint(table);
    const Joint& joint = context.joint(out.joint);
    const JointEntry& entry = *joint.entry;
    const bool onPoint = context.isPoint(joint.from.body) || context.isPoint(joint.to.body);
    if (out.kind == OutputKind::Measure && out.measure == JointMeasure::Displacement && !entry.slides())
        refuseJoint(table, joint, "displacement", "nothing slides in it");
    const bool angle = out.kind == OutputKind::Measure && out.measure == JointMeasure::Angle;
    if (angle && !entry.turns())
        refuseJoint(table, joint, "angle", "it has no single turn");
    const bool rate = out.kind == OutputKind::Rate;
    if (rate
        && (entry.freedom == JointFreedom::None || entry.freedom == JointFreedom::Ball || entry.freedom == JointFreedom::Other))
        refuseJoint(table, joint, word, "it has no single turn or displacement");
    if (((rate && entry.turns()) || angle) && onPoint)
        refuseJoint(table, joint, word, "it holds a point mass, which does not rotate");
}

void readSensor(const MechanismContext& context, const TableReader& table, const OutputWord& word, StatedOutput& out)
{
    const auto takes = [&word](std::string_view key) { return std::ranges::find(word.keys, key) != word.keys.end(); };
    if (takes("point"))
        out.to = context.readAttachment(table, "point");
    if (takes("from")) {
        out.from = context.readAttachment(table, "from");
        out.to = context.readAttachment(table, "to");
    }
    if (takes("joint"))
        readOutputJoint(context, table, word.word, out);
    if (takes("body")) {
        const TomlValue& body = table.need("body", "write body = \"...\"");
        out.body = context.neededBody(body, table.where(), "body");
        if (out.body == kGround || context.isPoint(out.body))
            refuse(body.position, "The body \"" + body.text + "\" does not turn", table.where(), "", "name a rigid body");
    }
    if (const TomlValue* frame = table.find("frame")) {
        out.frame = context.neededBody(*frame, table.where(), "frame");
        if (out.kind == OutputKind::AngularVelocity && !context.space())
            refuse(table.keyPosition("frame"), "An angular velocity in the plane is the same in every frame", table.where(), "",
                   "leave \"frame\" out");
    }
}

} // namespace

const KeyList& outputWords()
{
    static const KeyList all = [] {
        KeyList out;
        for (const OutputWord& word : words())
            out.push_back(word.word);
        return out;
    }();
    return all;
}

void readOutput(MechanismContext& context, const TomlValue& value, int number)
{
    const std::string where = MechanismContext::label(value, "output", number);
    KeyList all = kCommonKeys;
    all.insert(all.end(), kOwnKeys.begin(), kOwnKeys.end());
    const std::string kind = value.find("kind") ? MechanismContext::readKind(value, value.position, where, all, outputWords())
                                                : outputWords().front();
    const OutputWord& word = *std::ranges::find(words(), kind, &OutputWord::word);
    KeyList keys = kCommonKeys;
    keys.insert(keys.end(), word.keys.begin(), word.keys.end());
    const TableReader table(value, value.position, where, keys);
    StatedOutput out;
    out.name = readOutputName(context, table);
    out.unit = table.text("unit", "", 32);
    out.description = table.text("description", "", 500);
    out.kind = word.kind;
    out.measure = word.measure;
    out.position = value.position;
    if (out.kind == OutputKind::Expression)
        (void)table.need("value", "write value = \"...\", or kind = \"position\" for a sensor");
    readSensor(context, table, word, out);
    context.out.outputs.push_back(std::move(out));
}

namespace {

/// What expressions over the motion may use, and what only the assembled system knows: accelerations and multipliers.
Scope outputScope(const Mechanism& mechanism, const ConstrainedSystem& system)
{
    Scope scope("coordinates, velocities ('), accelerations (''), multipliers, parameters, outputs before this one, t and pi");
    for (const auto& [name, primes, value] : mechanism.motionNames) {
        scope.add(name, primes, value);
        if (const auto rate = value.symbol(); rate && primes == 1)
            scope.add(name, 2, expr::variable(rate->name, 2));
    }
    for (const Coordinate& c : system.coordinates)
        if (!system.plainRates())
            scope.add(c.velocity.name, 0, expr::symbol(c.v));
    for (const Constraint& c : system.constraints)
        scope.add(c.multiplier.name, 0, expr::symbol(c.multiplier));
    for (const expr::Symbol& idle : system.idle) // of contacts and friction: zero while they are not in force
        scope.add(idle.name, 0, expr::symbol(idle));
    return scope;
}

} // namespace

void readOutputExpressions(const TomlValue& root, Mechanism& mechanism, ConstrainedSystem& system)
{
    if (mechanism.outputs.empty())
        return;
    Scope scope = outputScope(mechanism, system);
    scope.keepIn(&mechanism.written);
    std::size_t next = 0;
    for (std::size_t k = 0; k < mechanism.outputs.size(); ++k) {
        const StatedOutput& stated = mechanism.outputs[k];
        if (stated.kind == OutputKind::Expression) {
            const TomlValue& value = root.find("output")->value.items[k].find("value")->value;
            const std::size_t before = mechanism.written.size();
            system.outputs[next].value =
                inBasisVelocities(readExpression(value, scope, "output " + stated.name, "value").value, system);
            if (mechanism.written.size() > before)
                mechanism.written.back().unit = stated.unit;
        }
        const auto isOf = [&](const Output& o) { return o.name == stated.name || o.name.starts_with(stated.name + '.'); };
        for (; next < system.outputs.size() && isOf(system.outputs[next]); ++next)
            scope.add(system.outputs[next].name, 0, system.outputs[next].value);
    }
}

} // namespace driftless::model
