// A plane mechanism as the editor sees it: where its bodies stand at the start, and which points they offer to be joined at.
#pragma once

#include <QPointF>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/mechanism/JointEntry.h"
#include "core/mechanism/ModelText.h"
#include "core/system/CompiledSystem.h"

namespace driftless::ui {

/// Of a way in the plane or on the screen.
inline double length(QPointF way) { return std::hypot(way.x(), way.y()); }

/// A point of a body, in its own coordinates from the centre of mass; of the ground, in plane coordinates [m].
struct EditEnd {
    std::string body = "ground";
    QPointF at;
    bool onGround() const { return body == "ground"; }
    bool operator==(const EditEnd&) const = default;
};

enum class EditShape { Point, Bar, Disc, Block };

struct EditBody {
    std::string name;
    int table = 0; ///< among the [[body]] tables
    bool rigid = false;
    bool literal = true; ///< its shape is written in numbers, so it can be changed with handles
    EditShape shape = EditShape::Point;
    QPointF centre;    ///< at the start [m]
    double angle = 0;  ///< [rad]
    QPointF ends[2];   ///< bar: in its own coordinates
    double radius = 0; ///< disc; block: half its diagonal
    QPointF size;      ///< block: width, height

    QPointF toPlane(QPointF local) const;
    QPointF toLocal(QPointF place) const;
    /// Distance of a place from its outline, 0 inside.
    double distance(QPointF place) const;
};

/// A joint or a force between two ends.
struct EditLink {
    model::ModelText::Place place;
    std::string kind; ///< "pin", "rod", "slider", "spring-damper", ...
    EditEnd from, to;
    double angle = 0;          ///< slider: of the rail in the frame of from [rad]
    double rail[2]{-1.5, 1.5}; ///< slider [m]
    bool isForce() const { return place.kind == "force"; }
    model::JointMark mark = model::JointMark::Other; ///< of a joint
    bool isRail() const { return mark == model::JointMark::Rail; }
    /// Its two points are one.
    bool isPoint() const { return mark == model::JointMark::Point; }
};

struct EditGeometry {
    std::vector<EditBody> bodies;
    std::vector<EditLink> links;
    std::map<std::string, double> parameters;
    std::map<std::string, std::size_t> index; ///< of the bodies by name

    /// Numbers and expressions of the text with these values of its parameters (derived ones follow).
    static EditGeometry of(const model::ModelText& text, const model::CompiledSystem& system, const model::ModelState& state,
                           const std::vector<double>& parameters);

    const EditBody* body(const std::string& name) const;
    const EditLink* link(const std::string& name) const;
    QPointF place(const EditEnd& end) const;
    /// A number of the text, or an expression over its parameters at t = 0.
    std::optional<double> value(const model::TomlValue& written) const;

    /// Points where something can be joined: ends and centres of bodies, ends of joints.
    struct Spot {
        EditEnd end;
        QPointF at;
    };
    std::vector<Spot> spots() const;
    /// One end for each body that has a spot within reach of the place, the nearest first; the ground is not among them.
    std::vector<EditEnd> endsAt(QPointF place, double reach) const;
    /// The spot, else the body's own point there, else the ground.
    EditEnd endAt(QPointF place, double reach) const;
    const EditBody* bodyAt(QPointF place, double reach) const;
    const EditLink* linkAt(QPointF place, double reach, bool forces = true) const;
    bool joined(const std::string& a, const std::string& b) const;
    /// A joint between the bodies of two ends, at both of them: a second one would only repeat its equations. Null: there is
    /// none.
    const EditLink* jointBetween(const EditEnd& a, const EditEnd& b) const;
};

} // namespace driftless::ui
