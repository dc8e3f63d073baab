// The mechanism that is edited, as it stands: the tables of its text, where its bodies lie at the start, and what is to be said
// of it. It is read anew after every edit.
#pragma once

#include "ui/document/EditGeometry.h"
#include "ui/document/StartJudge.h"

namespace driftless::ui {

class EditedMechanism {
public:
    explicit EditedMechanism(const OpenBench& open) : open_(open) {}

    /// The mechanism of the open bench; nothing where there is none, or where equations are open.
    void read();
    /// Nothing is edited.
    void clear();
    /// Which joints fitted together before says nothing any more.
    void forget() { judge_.forget(); }

    /// A mechanism in TOML is open.
    bool editable() const { return text_.has_value(); }
    /// It can be built in the scene: a plane one.
    bool plane() const;
    /// Null: there is nothing to edit.
    const model::ModelText* text() const { return text_ ? &*text_ : nullptr; }
    const EditGeometry& geometry() const { return geometry_; }
    /// The consistent start, in the coordinates of the document's system.
    const model::ModelState& state() const { return state_; }
    const EditStatus& status() const { return status_; }
    /// Present values, in the order of the model.
    std::vector<double> parameters() const { return open_.parameters(); }
    /// The mechanism as it would lie in another state.
    EditGeometry geometryAt(const model::ModelState& state) const;

    /// Tables are known by their name, or as "force#2" for the third force without a name.
    static std::string idOf(const model::ModelText::Place& place);
    /// Null: there is no such table.
    const model::ModelText::Place* placeOf(const std::string& id) const;

private:
    const OpenBench& open_;
    std::optional<model::ModelText> text_;
    EditGeometry geometry_;
    model::ModelState state_;
    EditStatus status_;
    StartJudge judge_;
};

} // namespace driftless::ui
