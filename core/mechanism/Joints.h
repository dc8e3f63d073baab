// The entries of all kinds of joints; JointEntry.cpp puts them in order.
#pragma once

#include <utility>

#include "core/mechanism/JointEntry.h"

namespace driftless::model {

// JointsInPlane.cpp
JointEntry pinJoint(const char* word);  ///< "pin" and "revolute"
JointEntry weldJoint(const char* word); ///< "weld" and "fixed"
JointEntry sliderJoint();
JointEntry planePrismaticJoint();       ///< a slider that does not turn
JointEntry gearJoint(const char* word); ///< "gear" and "belt"
JointEntry rackJoint();
JointEntry knifeEdgeJoint();
JointEntry planeRollingJoint();

// JointsInSpace.cpp
JointEntry sphericalJoint();
JointEntry spaceRevoluteJoint();
JointEntry universalJoint();
JointEntry prismaticJoint();
JointEntry cylindricalJoint();
JointEntry planarJoint();
JointEntry fixedJoint();
JointEntry screwJoint();
JointEntry spaceRollingJoint();

// JointsAnywhere.cpp
JointEntry rodJoint(int dimensions);
JointEntry curveJoint(int dimensions);
JointEntry surfaceJoint();
JointEntry motionJoint(int dimensions);

// JointsOneSided.cpp
JointEntry stringJoint(int dimensions);
JointEntry strutJoint(int dimensions);
JointEntry stopJoint(int dimensions);
JointEntry wallJoint();
JointEntry breakingRodJoint(int dimensions);

// JointsCurved.cpp
JointEntry curvedWallJoint();

// JointsOneWay.cpp
JointEntry dryFrictionJoint(int dimensions);
JointEntry clutchJoint();
JointEntry ratchetJoint(int dimensions);

// What several kinds state or need alike.

bool rigidBody(const Mechanism& mechanism, int body);
/// Both ends have an orientation of their own: rigid bodies and the ground.
bool bothOriented(const Mechanism& mechanism, const Joint& joint);
/// Refuses a `turn` of a point mass.
void needTurned(const JointTable& table, const Attachment& end);
/// Refuses what cannot roll on the ground about its centre.
void needRolls(const JointTable& table, const Joint& joint);
/// The joint that a stop, friction or a ratchet acts in, from its key `joint`; its ends are theirs.
const Joint& findOwner(const JointTable& table, Joint& joint, int& index);
/// For examples: a joint "guide" of a body and the ground.
std::string guideFor(bool space, const char* kind);

inline JointKey endKey(const char* name, const char* meaning = "")
{
    return {.name = name, .type = JointKeyType::End, .unit = "m", .label = name, .meaning = meaning};
}

inline JointKey drawnKey()
{
    return {.name = "drawn",
            .type = JointKeyType::Rail,
            .unit = "m",
            .label = "drawn",
            .meaning = "ends of the rail that is drawn, along its direction",
            .fallback = "[-1.5, 1.5]"};
}

inline std::vector<JointKey> endsAnd(std::vector<JointKey> more)
{
    std::vector<JointKey> keys{endKey("from"), endKey("to")};
    keys.insert(keys.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return keys;
}

} // namespace driftless::model
