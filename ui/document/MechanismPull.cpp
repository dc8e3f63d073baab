#include "ui/document/MechanismPull.h"

#include <algorithm>
#include <cmath>

#include "core/consistency/HoldingJoint.h"
#include "core/consistency/Nearest.h"
#include "core/reduction/Reduced.h"
#include "core/text/Escapes.h"
#include "ui/document/EditDraft.h"
#include "ui/document/PullContacts.h"

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

/// A point is pulled by a mass of its own that is pinned to it: asking for that mass's position asks for the point's.
struct MechanismPull::Held {
    std::shared_ptr<const model::CompiledSystem> system;
    std::unique_ptr<PullContacts> contacts;
    std::unique_ptr<model::SystemEvaluator> evaluator;
    model::ModelState now;     ///< of system; the coordinates of the document's come first
    std::vector<int> x, y;     ///< coordinates that are asked for: of the pulled mass, or of each moved body
    std::vector<QPointF> from; ///< where these began
    int angle = -1;
    model::ModelState shown; ///< of the document's system
    QString words, held;
    double size = 1; ///< [m]
};

MechanismPull::MechanismPull(const OpenBench& open, const EditedMechanism& mechanism, EditCommit& commit)
    : open_(open), mechanism_(mechanism), commit_(commit)
{
}

MechanismPull::~MechanismPull() = default;

bool MechanismPull::beginMove(const std::vector<std::string>& bodies)
{
    pull_.reset();
    if (!mechanism_.editable() || open_.compiled().n() == 0)
        return false;
    if (open_.compiled().n() > kLargestAssembled)
        return commit_.refuse("The mechanism is too large to be moved by hand",
                              "its constraints are solved anew for every move of the mouse",
                              "change start values in the table or the text");
    auto pull = std::make_unique<Held>();
    pull->system = open_.compiledHandle();
    pull->evaluator = std::make_unique<model::SystemEvaluator>(pull->system);
    const auto parameters = open_.parameters();
    pull->contacts = std::make_unique<PullContacts>(pull->system, parameters);
    pull->evaluator->setParameters(parameters);
    pull->now = pull->shown = mechanism_.state();
    for (const std::string& name : bodies) {
        const EditBody* body = mechanism_.geometry().body(name);
        if (!body)
            continue;
        pull->x.push_back(coordinate(*pull->system, name + ".x"));
        pull->y.push_back(coordinate(*pull->system, name + ".y"));
        pull->from.push_back(body->centre);
        pull->words = pull->words.isEmpty() ? tr("move %1").arg(QString::fromStdString(name)) : tr("move the selection");
    }
    for (const double q : mechanism_.state().q)
        pull->size = std::max(pull->size, std::abs(q));
    if (pull->x.empty())
        return false;
    pull_ = std::move(pull);
    return true;
}

bool MechanismPull::beginTurn(const std::string& body)
{
    if (!beginMove({body}))
        return false;
    pull_->angle = coordinate(*pull_->system, body + ".angle");
    pull_->words = tr("turn %1").arg(QString::fromStdString(body));
    if (pull_->angle < 0)
        pull_.reset();
    return pull_ != nullptr;
}

bool MechanismPull::beginPull(const std::string& name, QPointF local)
{
    const EditBody* body = mechanism_.geometry().body(name);
    const bool free =
        std::none_of(mechanism_.geometry().links.begin(), mechanism_.geometry().links.end(),
                     [&](const EditLink& link) { return !link.isForce() && (link.from.body == name || link.to.body == name); });
    if (!body || !beginMove({name}))
        return false;
    if (free || !body->rigid) // nothing turns it: it goes as it is
        return true;
    ModelText text = *mechanism_.text();
    const QPointF at = body->toPlane(local);
    if (!releaseChart(text, open_.bench().system().coordinates, mechanism_.state())
        || !text.addTable("body", {{"name", text::tomlString(kPulled)}, {"kind", "\"point\""}, {"mass", "1"}})
        || !text.addTable("joint", {{"name", text::tomlString(kPullJoint)},
                                    {"kind", "\"pin\""},
                                    {"from", endText({name, local})},
                                    {"to", text::tomlString(kPulled)}}))
        return true;
    const auto model = reduction::readModel(text.text(), "model.toml");
    const auto compiled =
        model ? model::CompiledSystem::compile(*model) : Result<std::shared_ptr<const model::CompiledSystem>>(Diagnostic{});
    if (!compiled)
        return true; // stated with equations that the table of a mass disturbs: its centre is pulled instead
    pull_->system = *compiled;
    pull_->evaluator = std::make_unique<model::SystemEvaluator>(*compiled);
    const auto parameters = open_.parameters();
    pull_->contacts = std::make_unique<PullContacts>(*compiled, parameters);
    pull_->evaluator->setParameters(parameters);
    model::ModelState& now = pull_->now;
    now.resize((*compiled)->n(), (*compiled)->w());
    const auto& old = open_.bench().system().coordinates;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (const int k = coordinate(**compiled, old[i].name); k >= 0)
            now.q[static_cast<std::size_t>(k)] = mechanism_.state().q[i];
    pull_->x = {coordinate(**compiled, std::string(kPulled) + ".x")};
    pull_->y = {coordinate(**compiled, std::string(kPulled) + ".y")};
    pull_->from = {at};
    now.q[static_cast<std::size_t>(pull_->x[0])] = at.x();
    now.q[static_cast<std::size_t>(pull_->y[0])] = at.y();
    return true;
}

bool MechanismPull::ask(const std::vector<std::pair<int, double>>& wanted)
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
    std::string inTheWay;
    const auto found = pull_->contacts->nearest(request, inTheWay);
    if (!found) {
        pull_->held = QString::fromStdString(found.error().what) + ".";
        return false;
    }
    double miss = 0;
    for (const auto& [i, value] : wanted)
        if (i >= 0)
            miss = std::max(miss, std::abs(found->state.q[static_cast<std::size_t>(i)] - value));
    pull_->held.clear();
    if (miss > kShownMiss * pull_->size && !inTheWay.empty())
        pull_->held = tr("%1 stops it.").arg(QString::fromStdString(inTheWay));
    else if (miss > kShownMiss * pull_->size)
        if (const std::string joint = consistency::holdingJoint(*pull_->evaluator, request, found->state, kPullJoint);
            !joint.empty())
            pull_->held = tr("%1 stops it.").arg(QString::fromStdString(joint));
    pull_->now.q = found->state.q;
    const auto& old = open_.bench().system().coordinates;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (const int k = coordinate(*pull_->system, old[i].name); k >= 0)
            pull_->shown.q[i] = pull_->now.q[static_cast<std::size_t>(k)];
    return true;
}

const model::ModelState* MechanismPull::pullTo(QPointF place)
{
    return pull_ && !pull_->from.empty() ? moveBy(place - pull_->from.front()) : nullptr;
}

const model::ModelState* MechanismPull::moveBy(QPointF way)
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

const model::ModelState* MechanismPull::turnTo(double angle)
{
    if (!pull_ || pull_->angle < 0)
        return nullptr;
    ask({{pull_->angle, angle}});
    return &pull_->shown;
}

bool MechanismPull::pullsFreely() const { return pull_ && pull_->system == open_.compiledHandle(); }

QString MechanismPull::held() const { return pull_ ? pull_->held : QString(); }

void MechanismPull::cancelPull() { pull_.reset(); }

bool MechanismPull::endPull()
{
    if (!pull_)
        return false;
    const auto pull = std::move(pull_);
    ModelText text = commit_.draft();
    const auto changes = startChanges(text, open_.bench().system().coordinates, pull->shown, mechanism_.state(), false);
    return commit_.commitResult(text.setFields(changes), text, pull->words);
}

} // namespace driftless::ui
