// What the readers of bodies, joints and forces share: the mechanism so far, the names in use, the names an expression may use.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/mechanism/ExpressionReader.h"
#include "core/mechanism/ReadModel.h"

namespace driftless::model {

struct MechanismContext {
    explicit MechanismContext(const ReadLimits& readLimits) : limits(readLimits)
    {
        for (Scope* scope : {&parameters, &motion, &position, &prescribed})
            scope->keepIn(&out.written);
    }
    MechanismContext(const MechanismContext&) = delete; // its scopes keep what they read in it
    MechanismContext& operator=(const MechanismContext&) = delete;

    const ReadLimits& limits;
    Mechanism out;
    Scope parameters{"parameters and pi"};
    Scope motion{"coordinates, velocities (with '), parameters, t and pi"};
    Scope position{"coordinates, parameters, t and pi"};
    Scope prescribed{"parameters, t and pi"};
    std::unordered_set<std::string> names;
    std::unordered_map<std::string, int> bodyIndex, jointIndex;
    std::unordered_set<std::string> actingJoints; ///< by name, those that act in other joints
    int coordinateCount = 0;

    bool space() const { return out.space; }
    std::size_t dimensions() const { return out.space ? 3 : 2; }
    const Body& body(int index) const { return out.bodies[static_cast<std::size_t>(index)]; }
    const Joint& joint(int index) const { return out.joints[static_cast<std::size_t>(index)]; }
    bool isPoint(int index) const { return index != kGround && body(index).kind == BodyKind::Point; }

    /// "body bob", "joint 3".
    static std::string label(const TomlValue& table, const std::string& words, int number);
    /// The kind of a table, one of kinds; all keys of the family are checked first so that a slip in a key is named as such.
    static std::string readKind(const TomlValue& table, const SourcePosition& position, const std::string& where,
                                const KeyList& keys, const KeyList& kinds);
    /// Reads a name that must be new in taken.
    static std::string readName(const TableReader& table, const std::string& words, std::unordered_set<std::string>& taken);
    std::string newName(const TableReader& table, const std::string& words) { return readName(table, words, names); }

    int findBody(const std::string& name, const SourcePosition& position, const std::string& where) const;
    int neededBody(const TomlValue& value, const std::string& where, const std::string& key) const;
    int findJoint(const TableReader& table) const; ///< by the key "joint"
    /// "bob", or { body = "rod", at = [u, v] } (in space [u, v, w]).
    Attachment readAttachment(const TableReader& owner, const std::string& key) const;
    void readPoint(const TomlValue& at, const std::string& where, Attachment& out) const;
    void readEnds(const TableReader& table, Attachment& from, Attachment& to) const;
    /// Three numbers, made one long.
    std::array<double, 3> readAxis(const TableReader& table, const std::string& key,
                                   const std::array<double, 3>& fallback) const;
    /// { axis = [0, 0, 1], angle = "phi" }, or an array of such.
    std::vector<Turn> readTurns(const TomlValue& value, const std::string& where) const;
};

void readBody(MechanismContext& context, const TomlValue& value, int number);
/// Of a kind that names another joint, as a stop: it is read behind those that name none, wherever they stand.
bool actsInJoint(const MechanismContext& context, const TomlValue& value);
/// number: its place among the tables, from 1; Mechanism::joints has that place already.
void readJoint(MechanismContext& context, const TomlValue& value, int number);
void readForce(MechanismContext& context, const TomlValue& value, int number);

} // namespace driftless::model
