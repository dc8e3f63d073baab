// Builds a mechanism by hand: placing bodies, joining them, deleting, duplicating, copying, and fields of tables. Each writes
// tables of the model's text. Plane mechanisms are built in the scene; tables of any mechanism in the tree.
//
// False when refused; EditCommit::said() tells why.
#pragma once

#include <QCoreApplication>
#include <QPointF>

#include "ui/document/EditCommit.h"

namespace driftless::ui {

class MechanismBuilder {
    Q_DECLARE_TR_FUNCTIONS(MechanismBuilder)
public:
    MechanismBuilder(const EditedMechanism& mechanism, const EditSelection& selection, EditCommit& commit);

    bool addPoint(QPointF at);
    bool addBar(QPointF a, QPointF b);
    bool addDisc(QPointF centre, QPointF rim);
    bool addBlock(QPointF corner, QPointF opposite);
    bool addJoint(const std::string& kind, const EditEnd& from, const EditEnd& to); ///< "pin" or "weld"
    /// Joins what lies at the place: two bodies with each other, else one body with the ground.
    bool joinAt(const std::string& kind, QPointF place, double reach);
    bool addRod(const EditEnd& from, const EditEnd& to);
    bool addSpring(const EditEnd& from, const EditEnd& to);
    /// A rail on the ground through the point of the body, towards a place.
    bool addRail(const EditEnd& end, QPointF towards);
    bool addString(const EditEnd& from, const EditEnd& to);
    bool addDamper(const EditEnd& from, const EditEnd& to);
    /// Through a place, across the way from the point of the body that it holds back.
    bool addWall(const EditEnd& held, QPointF towards);
    /// Of a pin or a slider: both ends of its travel, as far on either side as it stands.
    bool addStop(const std::string& joint);
    /// The motion of a pin (1 rad/s) or a slider (to and fro) is stated from where it stands.
    bool addMotor(const std::string& joint);
    /// Of a pin or a slider: it moves forwards alone.
    bool addRatchet(const std::string& joint);
    /// Between two bodies that turn; of one alone a brake, against the ground.
    bool addClutch(const EditEnd& from, const EditEnd& to);
    bool remove(const std::vector<std::string>& ids);
    bool duplicate(double offset);
    /// The selected bodies with the joints and forces among them, as TOML.
    QString copied() const;
    bool paste(const QString& tables, double offset);
    bool rename(const std::string& id, const QString& to);
    /// As written in the file; empty removes the field.
    bool setField(const std::string& id, const std::string& path, const QString& value);

private:
    /// A table of a joint or force that is stretched between two ends, at the distance that they have.
    struct Between {
        std::string stem, table, kind;
        model::ModelText::Fields fields;
    };
    /// Whether anything can be stretched between these ends; told where not.
    bool stretches(const std::string& stem, const EditEnd& a, const EditEnd& b);
    bool addBetween(const Between& what, const EditEnd& a, const EditEnd& b);
    /// Null where it is neither pin nor slider: that is told.
    const EditLink* drivenJoint(const std::string& id, const std::string& what);
    bool addBody(const std::string& stem, model::ModelText::Fields fields);

    const EditedMechanism& mechanism_;
    const EditSelection& selection_;
    EditCommit& commit_;
};

} // namespace driftless::ui
