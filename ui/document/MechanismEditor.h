// Builds and changes the open mechanism by hand: what the tools of the scene, the tree and the property page do.
//
// Everything is an edit of the model's text (core/model/ModelText) and one entry of the document's undo stack. The editor knows
// where the bodies stand at the start, what is selected, and what is to be said of the mechanism: degrees of freedom, redundant
// constraints, index, and the joint that does not fit. Plane mechanisms are built in the scene; tables of any mechanism in the
// tree.
#pragma once

#include <QObject>
#include <QPointF>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/model/ModelText.h"
#include "core/model/State.h"
#include "ui/document/EditGeometry.h"

namespace driftless::ui {

class Document;

/// What holds at the start of the present text.
struct EditStatus {
    bool known = false; ///< false: too large to be judged while editing, or no mechanism
    int bodies = 0, freedom = 0, velocityFreedom = 0, index = 0;
    std::vector<std::string> redundant; ///< one sentence each, with names
    std::set<std::string> repeated;     ///< joints that hold redundant constraints
    std::set<std::string> defects;      ///< joints and bodies that a problem names
    std::optional<Diagnostic> problem;  ///< why the mechanism does not fit together or cannot start
};

/// A number of a table that a handle shows and changes.
struct EditQuantity {
    std::string id, path; ///< of the table; "mass", "stiffness", "length"
    double value = 0;
    std::string unit;
    std::string parameter;  ///< whose value it is, where the table names one
    std::string expression; ///< not empty: it has no number of its own
    double least = 0, most = 1e300;
    bool zero = false; ///< may be zero
};

class MechanismEditor : public QObject {
    Q_OBJECT
public:
    static constexpr int kLargestJudged = 10'000; ///< coordinates, for the live line: tenths of a second
    static constexpr int kLargestPulled = 1000;   ///< for pulling, and for assembling what is joined

    explicit MechanismEditor(Document& document, QObject* parent = nullptr);
    ~MechanismEditor() override;

    /// While it is off nothing is read or judged, and there is nothing to edit.
    void setActive(bool on);
    /// A mechanism in TOML is open.
    bool editable() const { return text_.has_value(); }
    /// It can be built in the scene: a plane one.
    bool plane() const;
    const model::ModelText* text() const { return text_ ? &*text_ : nullptr; }
    const EditGeometry& geometry() const { return geometry_; }
    /// The consistent start, in the coordinates of the document's system.
    const model::ModelState& state() const { return state_; }
    const EditStatus& status() const { return status_; }
    std::vector<double> parameters() const; ///< present values, in the order of the model

    // --- selection: names, or "force#2" for the third force without a name ---
    const std::vector<std::string>& selection() const { return selection_; }
    bool selected(const std::string& id) const;
    void select(std::vector<std::string> ids);
    static std::string idOf(const model::ModelText::Place& place);
    const model::ModelText::Place* placeOf(const std::string& id) const;

    // --- building (MechanismBuild.cpp): false when refused, and said() tells why ---
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
    bool remove(const std::vector<std::string>& ids);
    bool duplicate(double offset);
    /// The selected bodies with the joints and forces among them, as TOML.
    QString copied() const;
    bool paste(const QString& tables, double offset);
    bool rename(const std::string& id, const QString& to);
    /// As written in the file; empty removes the field.
    bool setField(const std::string& id, const std::string& path, const QString& value);

    // --- gestures (MechanismPull.cpp): begin, any number of moves, and one undo entry at the end ---
    /// A point of a body follows the pointer, and the rest of the mechanism follows under its constraints.
    bool beginPull(const std::string& body, QPointF local);
    /// All of these bodies, by the same way.
    bool beginMove(const std::vector<std::string>& bodies);
    bool beginTurn(const std::string& body);
    /// The state that shows the mechanism now; null when nothing is held.
    const model::ModelState* pullTo(QPointF place);
    const model::ModelState* moveBy(QPointF way);
    const model::ModelState* turnTo(double angle);
    /// Whether what is held goes as it is: no joint turns it.
    bool pullsFreely() const;
    /// The mechanism as it would lie in a state of a gesture.
    EditGeometry geometryAt(const model::ModelState& state) const;
    /// Which joint stops it; empty while it follows.
    QString held() const;
    bool endPull();
    void cancelPull();
    /// An end of a bar with what is joined there; the other end stays.
    bool moveEnd(const std::string& body, int end, QPointF to);
    bool setRadius(const std::string& body, double radius);
    /// Mass of a body, stiffness and length at rest of a spring, length of a rod (MechanismHandles.cpp). Nothing for what has
    /// no such number, and for a table that stands for many.
    std::optional<EditQuantity> quantity(const std::string& id, const std::string& path) const;
    /// Where it cannot be changed by hand a sentence is said.
    bool canSet(const EditQuantity& quantity);
    /// An inertia that is a number goes with the mass.
    bool setQuantity(const EditQuantity& quantity, double value);

signals:
    void changed();
    void selectionChanged();
    void said(const driftless::Diagnostic& diagnostic);
    void told(const QString& sentence); ///< what an edit did besides what was asked for

private:
    struct Pull;
    void refresh();
    void judge();
    void nameDefects();
    /// The text to build on: a chart that states the start is replaced by start values of the bodies.
    model::ModelText draft() const;
    Result<void> releaseChart(model::ModelText& text, const model::ModelState& state) const;
    std::vector<model::ModelText::FieldChange> startChanges(const model::ModelState& to, const model::ModelState& from,
                                                            bool all) const;
    bool commit(model::ModelText text, const QString& what, std::vector<std::string> selected = {});
    /// The text is given up. By reference: done is often the outcome of changing it in the same call.
    bool commitResult(const Result<void>& done, model::ModelText& text, const QString& what,
                      std::vector<std::string> selected = {});
    /// Starts moved to where the joints of the text fit together.
    void assemble(model::ModelText& text) const;
    bool addBody(const std::string& stem, model::ModelText::Fields fields);
    std::string endText(const EditEnd& end) const;
    bool refuse(const std::string& what, const std::string& why, const std::string& remedy);
    bool ask(const std::vector<std::pair<int, double>>& wanted);

    Document& document_;
    bool active_ = false;
    std::optional<model::ModelText> text_;
    EditGeometry geometry_;
    model::ModelState state_;
    EditStatus status_;
    std::vector<std::string> selection_;
    std::map<std::string, std::string> sound_; ///< joints and their tables as they last fitted together
    std::unique_ptr<Pull> pull_;
};

} // namespace driftless::ui
