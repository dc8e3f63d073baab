#include "core/mechanism/JointEntry.h"

#include <algorithm>
#include <cassert>

#include "core/mechanism/Joints.h"
#include "core/mechanism/Rotation.h"

namespace driftless::model {

expr::Expr JointForm::rateOf(const Assembly&, const Joint&) const
{
    assert(!"the entry of this kind states no freedom with a rate");
    return {};
}

expr::Expr JointForm::measured(const Assembly&, const Joint&, JointMeasure, const expr::Expr&) const
{
    assert(!"the entry of this kind states no angle and no displacement");
    return {};
}

expr::Expr JointForm::driven(const Assembly& assembly, const Joint& joint, JointMeasure what, const expr::Expr& value) const
{
    return measure(assembly, joint, what) - value;
}

Vector JointForm::slidesAlong(const Assembly&, const Joint&) const
{
    assert(!"nothing slides along it and turns");
    return {};
}

std::vector<Vector> JointForm::wayEnds(const Assembly&, const Joint&, JointMeasure, const expr::Expr&) const { return {}; }

Vector JointForm::axis(const Assembly& assembly, const Joint& joint) const { return slidesAlong(assembly, joint); }

std::vector<Vector> JointForm::endOfWay(const Assembly& assembly, const Joint& joint, JointMeasure what,
                                        const expr::Expr& end) const
{
    return wayEnds(assembly, joint, what, end);
}

void JointForm::addRequirements(const Joint&, std::vector<Requirement>&) const {}

const JointKey* JointEntry::key(std::string_view name) const
{
    const auto found = std::find_if(keys.begin(), keys.end(), [name](const JointKey& k) { return k.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

const std::vector<JointEntry>& jointEntries(int dimensions)
{
    static const std::vector<JointEntry> plane{
        pinJoint("pin"),     rodJoint(2),          sliderJoint(),         weldJoint("weld"),   curveJoint(2),
        gearJoint("gear"),   gearJoint("belt"),    rackJoint(),           motionJoint(2),      knifeEdgeJoint(),
        planeRollingJoint(), pinJoint("revolute"), planePrismaticJoint(), weldJoint("fixed"),  stringJoint(2),
        strutJoint(2),       wallJoint(),          stopJoint(2),          breakingRodJoint(2), dryFrictionJoint(2),
        clutchJoint(),       ratchetJoint(2),      curvedWallJoint(),
    };
    static const std::vector<JointEntry> space{
        sphericalJoint(), spaceRevoluteJoint(), universalJoint(),    prismaticJoint(), cylindricalJoint(),
        planarJoint(),    fixedJoint(),         screwJoint(),        rodJoint(3),      curveJoint(3),
        surfaceJoint(),   motionJoint(3),       spaceRollingJoint(), stringJoint(3),   strutJoint(3),
        stopJoint(3),     breakingRodJoint(3),  dryFrictionJoint(3), ratchetJoint(3),
    };
    return dimensions == 3 ? space : plane;
}

const JointEntry* jointEntry(std::string_view word, int dimensions)
{
    const std::vector<JointEntry>& entries = jointEntries(dimensions);
    const auto found = std::find_if(entries.begin(), entries.end(), [word](const JointEntry& e) { return e.word == word; });
    return found == entries.end() ? nullptr : &*found;
}

namespace {

std::vector<std::string> collectWords(int dimensions)
{
    std::vector<std::string> out;
    for (const JointEntry& entry : jointEntries(dimensions))
        out.push_back(entry.word);
    return out;
}

std::vector<std::string> collectKeys()
{
    std::vector<std::string> out{"name", "kind"};
    for (const int dimensions : {2, 3})
        for (const JointEntry& entry : jointEntries(dimensions))
            for (const JointKey& key : entry.keys)
                if (std::find(out.begin(), out.end(), key.name) == out.end())
                    out.push_back(key.name);
    return out;
}

} // namespace

const std::vector<std::string>& jointWords(int dimensions)
{
    static const std::vector<std::string> plane = collectWords(2), space = collectWords(3);
    return dimensions == 3 ? space : plane;
}

const std::vector<std::string>& jointKeys()
{
    static const std::vector<std::string> keys = collectKeys();
    return keys;
}

} // namespace driftless::model
