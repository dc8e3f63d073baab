// The kinds of joints: one entry for each kind and number of dimensions. Reader, editor, schema and documentation take the
// keys of a kind from its entry; the form that it reads makes the equations (Joint.h).
//
// A new kind is one function in Joints*.cpp that returns its entry, and its name in the list of JointEntry.cpp. A new key of a
// kind stands in its entry's `keys` and is read where the entry's `read` leads (in space often the shared readSpaceForm).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanism/Joint.h"

namespace driftless::model {

class JointTable;

/// How the value of a key is written.
enum class JointKeyType {
    End,        ///< a body's name, or { body, at }
    Expression, ///< a number, or an expression in quotes
    Surfaces,   ///< two expressions
    Flag,
    Rail,  ///< two numbers [m]
    Axis,  ///< three numbers
    Turns, ///< { axis, angle }, or an array of such
    Path,  ///< a table: x, y (and z) over s, from, to
    Body,  ///< a name
    Joint, ///< a name
    Choice ///< one of JointKey::choices
};

struct JointKey {
    std::string name;
    JointKeyType type = JointKeyType::Expression;
    std::string unit{};                 ///< SI; "" where there is none
    std::string label{};                ///< in forms; of an end: of its body
    std::string meaning{};              ///< a phrase for documentation
    std::string fallback{};             ///< what holds where it is left out; empty: it cannot be left out
    std::string remedy{};               ///< how to write it, for the message that it is missing
    std::vector<std::string> choices{}; ///< of a Choice
    bool needed() const { return fallback.empty(); }
};

/// What a joint leaves to friction, springs, actuators and prescribed motions.
enum class JointFreedom {
    None,         ///< nothing moves in it
    Angle,        ///< one turn
    Displacement, ///< one displacement
    Both,         ///< a turn and a displacement along its axis
    Direction,    ///< a rod of the plane: friction and actuators act on its direction, nothing drives it
    Ball,         ///< all turns: friction alone
    Other         ///< no single rate
};

/// What the editor of plane mechanisms draws and takes hold of.
enum class JointMark { Other, Point, Line, Rail };

struct JointEntry {
    std::string word;   ///< its kind in files
    int dimensions = 2; ///< 2 or 3
    std::string meaning;
    JointFreedom freedom = JointFreedom::Other;
    JointMark mark = JointMark::Other;
    std::vector<JointKey> keys; ///< besides name and kind
    std::string rows;           ///< for documentation: which constraints it adds
    std::string example;        ///< TOML; crank and arm are rigid bodies, bead is a point mass, wheel rolls
    /// Reads what it states besides name and ends. A motion takes its ends from the joint that it drives.
    std::unique_ptr<const JointForm> (*read)(const JointTable& table, Joint& joint) = nullptr;

    const JointKey* key(std::string_view name) const;
    bool turns() const { return freedom == JointFreedom::Angle || freedom == JointFreedom::Both; }
    bool slides() const { return freedom == JointFreedom::Displacement || freedom == JointFreedom::Both; }
};

/// All kinds of the plane (2) or of space (3), in the order in which messages list them.
const std::vector<JointEntry>& jointEntries(int dimensions);
/// Null where there is no such kind.
const JointEntry* jointEntry(std::string_view word, int dimensions);
/// The kinds by name, and the keys of all kinds with "name" and "kind", each once.
const std::vector<std::string>& jointWords(int dimensions);
const std::vector<std::string>& jointKeys();

} // namespace driftless::model
