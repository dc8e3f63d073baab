// Moving a mechanism by hand while it is edited: the nearest consistent start to where the pointer wants a point, a body or an
// angle.
#include <algorithm>
#include <cmath>

#include "core/consistency/Pull.h"
#include "core/reduction/Reduced.h"
#include "ui/document/Document.h"
#include "ui/document/MechanismPull.h"

namespace driftless::ui {

using model::ModelText;

namespace {

constexpr const char* kPulled = "pulled_point_";
constexpr const char* kPullJoint = "pulling_pin_";
constexpr double kShownMiss = 1e-3; ///< of the mechanism's size: below, the point is where it was asked to be

int coordinate(const model::CompiledSystem& system, const std::string& name)
{
    const auto& all = system.system().coordinates;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name)
            return static_cast<int>(i);
    return -1;
}

} // namespace

bool MechanismEditor::beginMove(const std::vector<std::string>& bodies)
{
    pull_.reset();
    if (!text_ || document_.system().n() == 0)
        return false;
    if (document_.system().n() > kLargestPulled)
        return refuse("The mechanism is too large to be moved by hand",
                      "its constraints are solved anew for every move of the mouse",
                      "change start values in the table or the text");
    auto pull = std::make_unique<Pull>();
    pull->system = document_.systemHandle();
    pull->evaluator = std::make_unique<model::SystemEvaluator>(pull->system);
    pull->solver = std::make_unique<consistency::ConsistencySolver>(pull->system);
    const auto parameters = document_.parameters();
    pull->evaluator->setParameters(parameters);
    pull->solver->setParameters(parameters);
    pull->now = pull->shown = state_;
    for (const std::string& name : bodies) {
        const EditBody* body = geometry_.body(name);
        if (!body)
            continue;
        pull->x.push_back(coordinate(*pull->system, name + ".x"));
        pull->y.push_back(coordinate(*pull->system, name + ".y"));
        pull->from.push_back(body->centre);
        pull->words = pull->words.isEmpty() ? tr("move %1").arg(QString::fromStdString(name)) : tr("move the selection");
    }
    for (const double q : state_.q)
        pull->size = std::max(pull->size, std::abs(q));
    if (pull->x.empty())
        return false;
    pull_ = std::move(pull);
    return true;
}

bool MechanismEditor::beginTurn(const std::string& body)
{
    if (!beginMove({body}))
        return false;
    pull_->angle = coordinate(*pull_->system, body + ".angle");
    pull_->words = tr("turn %1").arg(QString::fromStdString(body));
    if (pull_->angle < 0)
        pull_.reset();
    return pull_ != nullptr;
}

bool MechanismEditor::beginPull(const std::string& name, QPointF local)
{
    const EditBody* body = geometry_.body(name);
    const bool free = std::none_of(geometry_.links.begin(), geometry_.links.end(), [&](const EditLink& link) {
        return !link.isForce() && (link.from.body == name || link.to.body == name);
    });
    if (!body || !beginMove({name}))
        return false;
    if (free || !body->rigid) // nothing turns it: it goes as it is
        return true;
    ModelText text = *text_;
    const QPointF at = body->toPlane(local);
    if (!releaseChart(text, state_)
        || !text.addTable("body", {{"name", model::tomlString(kPulled)}, {"kind", "\"point\""}, {"mass", "1"}})
        || !text.addTable("joint", {{"name", model::tomlString(kPullJoint)},
                                    {"kind", "\"pin\""},
                                    {"from", endText({name, local})},
                                    {"to", model::tomlString(kPulled)}}))
        return true;
    const auto model = reduction::readModel(text.text(), "model.toml");
    const auto compiled =
        model ? model::CompiledSystem::compile(*model) : Result<std::shared_ptr<const model::CompiledSystem>>(Diagnostic{});
    if (!compiled)
        return true; // stated with equations that the table of a mass disturbs: its centre is pulled instead
    pull_->system = *compiled;
    pull_->evaluator = std::make_unique<model::SystemEvaluator>(*compiled);
    pull_->solver = std::make_unique<consistency::ConsistencySolver>(*compiled);
    const auto parameters = document_.parameters();
    pull_->evaluator->setParameters(parameters);
    pull_->solver->setParameters(parameters);
    model::ModelState& now = pull_->now;
    now.resize((*compiled)->n(), (*compiled)->w());
    const auto& old = document_.system().system().coordinates;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (const int k = coordinate(**compiled, old[i].name); k >= 0)
            now.q[static_cast<std::size_t>(k)] = state_.q[i];
    pull_->x = {coordinate(**compiled, std::string(kPulled) + ".x")};
    pull_->y = {coordinate(**compiled, std::string(kPulled) + ".y")};
    pull_->from = {at};
    now.q[static_cast<std::size_t>(pull_->x[0])] = at.x();
    now.q[static_cast<std::size_t>(pull_->y[0])] = at.y();
    return true;
}

bool MechanismEditor::ask(const std::vector<std::pair<int, double>>& wanted)
{
    consistency::NearestRequest request;
    request.from = pull_->now;
    std::fill(request.from.v.begin(), request.from.v.end(), 0.0); // start velocities stay as they are written
    request.q = request.from.q;
    request.v = request.from.v;
    request.qAsked.assign(request.q.size(), false);
    request.vAsked.assign(request.q.size(), false);
    for (const auto& [i, value] : wanted) {
        if (i < 0 || !std::isfinite(value))
            continue;
        request.q[static_cast<std::size_t>(i)] = value;
        request.qAsked[static_cast<std::size_t>(i)] = true;
    }
    const auto found = consistency::nearestConsistent(*pull_->solver, *pull_->evaluator, request);
    if (!found) {
        pull_->held = QString::fromStdString(found.error().what) + ".";
        return false;
    }
    double miss = 0;
    for (const auto& [i, value] : wanted)
        if (i >= 0)
            miss = std::max(miss, std::abs(found->state.q[static_cast<std::size_t>(i)] - value));
    pull_->held.clear();
    if (miss > kShownMiss * pull_->size)
        if (const std::string joint = consistency::holdingJoint(*pull_->evaluator, request, found->state, kPullJoint);
            !joint.empty())
            pull_->held = tr("%1 stops it.").arg(QString::fromStdString(joint));
    pull_->now.q = found->state.q;
    const auto& old = document_.system().system().coordinates;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (const int k = coordinate(*pull_->system, old[i].name); k >= 0)
            pull_->shown.q[i] = pull_->now.q[static_cast<std::size_t>(k)];
    return true;
}

const model::ModelState* MechanismEditor::pullTo(QPointF place)
{
    return pull_ && !pull_->from.empty() ? moveBy(place - pull_->from.front()) : nullptr;
}

const model::ModelState* MechanismEditor::moveBy(QPointF way)
{
    if (!pull_)
        return nullptr;
    std::vector<std::pair<int, double>> wanted;
    for (std::size_t k = 0; k < pull_->x.size(); ++k) {
        wanted.emplace_back(pull_->x[k], pull_->from[k].x() + way.x());
        wanted.emplace_back(pull_->y[k], pull_->from[k].y() + way.y());
    }
    ask(wanted);
    return &pull_->shown;
}

const model::ModelState* MechanismEditor::turnTo(double angle)
{
    if (!pull_ || pull_->angle < 0)
        return nullptr;
    ask({{pull_->angle, angle}});
    return &pull_->shown;
}

bool MechanismEditor::pullsFreely() const { return pull_ && pull_->system == document_.systemHandle(); }

EditGeometry MechanismEditor::geometryAt(const model::ModelState& state) const
{
    return text_ ? EditGeometry::of(*text_, document_.system(), state, document_.parameters()) : EditGeometry{};
}

QString MechanismEditor::held() const { return pull_ ? pull_->held : QString(); }

void MechanismEditor::cancelPull() { pull_.reset(); }

bool MechanismEditor::endPull()
{
    if (!pull_)
        return false;
    const auto pull = std::move(pull_);
    ModelText text = draft();
    const auto changes = startChanges(pull->shown, state_, false);
    return commitResult(text.setFields(changes), text, pull->words);
}

bool MechanismEditor::moveEnd(const std::string& name, int end, QPointF to)
{
    const EditBody* body = geometry_.body(name);
    if (!body || body->shape != EditShape::Bar)
        return false;
    if (!body->literal)
        return refuse("The ends of " + name + " cannot be moved with the mouse",
                      "they are stated by its joints or as expressions over parameters",
                      "change the parameter, or state the shape in numbers");
    const QPointF kept = body->toPlane(body->ends[1 - end]), way = end == 1 ? to - kept : kept - to;
    const double length = std::hypot(way.x(), way.y()),
                 before = std::hypot((body->ends[1] - body->ends[0]).x(), (body->ends[1] - body->ends[0]).y());
    if (length < 1e-6)
        return refuse("A bar needs a length", "both ends would lie in one point", "pull the end further away");
    // Its axis goes from end 0 to end 1 through the centre of mass, which stays where it is in proportion.
    const double share = before > 0 ? -body->ends[0].x() / before : 0.5;
    const bool straight = std::abs(body->ends[0].y()) < 1e-9 && std::abs(body->ends[1].y()) < 1e-9 && share > 0 && share < 1;
    if (!straight)
        return refuse("The ends of " + name + " cannot be moved with the mouse", "its centre of mass does not lie between them",
                      "change its shape in the table or the text");
    const QPointF first = end == 1 ? kept : to, centre = first + share * way;
    const double angle = body->angle + std::remainder(std::atan2(way.y(), way.x()) - body->angle, 2 * std::acos(-1.0));
    ModelText text = draft();
    const double scale = length / before;
    std::vector<ModelText::FieldChange> changes{{"body", body->table, "x.start", model::tomlPlace(centre.x())},
                                                {"body", body->table, "y.start", model::tomlPlace(centre.y())},
                                                {"body", body->table, "angle.start", model::tomlPlace(angle)},
                                                {"body", body->table, "shape.from", model::tomlPair(-share * length, 0)},
                                                {"body", body->table, "shape.to", model::tomlPair((1 - share) * length, 0)}};
    const model::TomlValue* table = text.table("body", body->table);
    if (const auto* inertia = table->find("inertia"); inertia && inertia->value.isNumber())
        changes.push_back({"body", body->table, "inertia",
                           model::tomlNumber(inertia->value.number * scale * scale)}); // the same mass, stretched
    for (const EditLink& link : geometry_.links)
        for (const auto& [key, at] : {std::pair{"from.at", &link.from}, std::pair{"to.at", &link.to}})
            if (at->body == name && !at->at.isNull())
                changes.push_back({link.place.kind, link.place.number, key, model::tomlPair(at->at.x() * scale, at->at.y())});
    const auto done = text.setFields(changes);
    if (done)
        assemble(text);
    return commitResult(done, text, tr("length of %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismEditor::setRadius(const std::string& name, double radius)
{
    const EditBody* body = geometry_.body(name);
    if (!body || body->shape != EditShape::Disc || !(radius > 1e-6))
        return false;
    if (!body->literal)
        return refuse("The radius of " + name + " cannot be changed with the mouse",
                      "it follows from its mass and inertia, or is an expression", "change it in the table");
    ModelText text = *text_;
    std::vector<ModelText::FieldChange> changes{{"body", body->table, "shape.radius", model::tomlPlace(radius)}};
    const model::TomlValue* table = text.table("body", body->table);
    if (const auto* inertia = table->find("inertia"); inertia && inertia->value.isNumber() && body->radius > 0)
        changes.push_back(
            {"body", body->table, "inertia", model::tomlNumber(inertia->value.number * std::pow(radius / body->radius, 2))});
    return commitResult(text.setFields(changes), text, tr("radius of %1").arg(QString::fromStdString(name)), {name});
}

} // namespace driftless::ui
