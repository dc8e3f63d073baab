// What Home lists: everything that can be opened, each with its section, its words and what a search finds it by.
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include "core/system/CompiledSystem.h"

namespace driftless::ui {

class Actions;

/// In the order in which they stand.
enum class HomeSection { Recent, Plane, Space, Lagrangian, Equations, Lessons, Studies, Laboratories };
inline constexpr HomeSection kHomeSections[] = {HomeSection::Recent,     HomeSection::Plane,       HomeSection::Space,
                                                HomeSection::Lagrangian, HomeSection::Equations,   HomeSection::Lessons,
                                                HomeSection::Studies,    HomeSection::Laboratories};
QString homeSectionName(HomeSection section);

struct HomeEntry {
    HomeSection section = HomeSection::Plane;
    QString opens; ///< a path or a shipped name; of a lesson its id; of a laboratory the id of its action
    QString title;
    QString about; ///< a line: where it comes from, or what one learns
    QString more;  ///< words that only the search reads
    QString badge; ///< a short word beside the title's section, e.g. the level of a lesson; empty: known when the model is read
    QString shows; ///< of a shipped model: what it shows
    QString toTry; ///< what to try with it
    QString tries; ///< the lesson that does it
};

/// All of them; `actions` has the laboratories.
std::vector<HomeEntry> homeEntries(const Actions& actions);

/// What a card says of a model once it has been read.
struct HomeFacts {
    QString badge;       ///< "1 DOF · index 3": degrees of freedom, and the index of the equations of motion
    QString description; ///< one paragraph
};
/// Degrees of freedom are those of the velocities at the start, by rank: redundant constraints take none away.
HomeFacts homeFacts(const std::shared_ptr<const model::CompiledSystem>& compiled);

} // namespace driftless::ui
