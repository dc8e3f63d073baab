#include "ui/document/EditedMechanism.h"

namespace driftless::ui {

using model::ModelText;

void EditedMechanism::clear()
{
    text_.reset();
    geometry_ = {};
    status_ = {};
}

void EditedMechanism::read()
{
    clear();
    if (!open_.hasModel() || open_.compiled().model().equations)
        return;
    auto text = ModelText::read(open_.modelText().toStdString(), "model");
    if (!text)
        return;
    text_ = std::move(text).value();
    const auto& system = open_.compiled();
    const auto parameters = open_.parameters();
    model::SystemEvaluator evaluator(open_.compiledHandle());
    evaluator.setParameters(parameters);
    state_ = {};
    state_.resize(system.n(), system.w());
    if (system.n() > 0)
        evaluator.starts(state_.q.data(), state_.v.data(), state_.lambda.data() + system.m());
    status_ = judge_.judge(open_, *text_, state_);
    geometry_ = EditGeometry::of(*text_, system, state_, parameters);
}

bool EditedMechanism::plane() const
{
    if (!text_)
        return false;
    const model::TomlEntry* dimensions = text_->root().find("dimensions");
    return open_.compiled().model().view.planar && !(dimensions && dimensions->value.number == 3);
}

EditGeometry EditedMechanism::geometryAt(const model::ModelState& state) const
{
    return text_ ? EditGeometry::of(*text_, open_.compiled(), state, open_.parameters()) : EditGeometry{};
}

std::string EditedMechanism::idOf(const ModelText::Place& place)
{
    return place.name.empty() ? place.kind + "#" + std::to_string(place.number) : place.name;
}

const ModelText::Place* EditedMechanism::placeOf(const std::string& id) const
{
    if (!text_)
        return nullptr;
    for (const auto& place : text_->places())
        if (idOf(place) == id)
            return &place;
    return nullptr;
}

} // namespace driftless::ui
