#include "ui/scene/ModelScene.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "ui/scene/TrailCurve.h"

namespace driftless::scene {

using model::VisualKind;

namespace {

Vec3 pointOf(const std::vector<double>& points, int i)
{
    const auto k = static_cast<std::size_t>(3 * i);
    return {points[k], points[k + 1], points[k + 2]};
}

/// [s] A motion that is over sooner leaves its whole trail.
double trailSeconds(const model::Model& model)
{
    const bool shorter = model.run.endStated && model.run.end > 0 && model.run.end < ModelScene::kTrailSeconds;
    return shorter ? model.run.end : ModelScene::kTrailSeconds;
}

bool isLink(VisualKind kind) { return kind == VisualKind::Rod || kind == VisualKind::RigidBar; }

bool leavesTrail(VisualKind kind)
{
    return kind == VisualKind::PointMass || kind == VisualKind::RigidDisc || kind == VisualKind::RigidBlock
           || kind == VisualKind::RigidSphere;
}

/// Points leave trails up to this number; of more, some evenly among them and the last.
constexpr std::size_t kMostTraces = 16;
/// Coordinates times samples of a trail: a long trail of a large model would cost more than its picture.
constexpr int kTrailWork = 40'000;
constexpr int kFewestSamples = 24;
constexpr double kBend = 0.17; ///< [rad] between neighbouring chords from which a trail is drawn finer
constexpr double kLeap = 0.01; ///< of the drawn length: what a trace may leap without a gap

/// Shortest way along links from a support to every point: how far a point can be from its support.
struct Reach {
    std::vector<double> distance;
    std::vector<int> root; ///< the support's point, -1 if none
};

struct Way {
    int to;
    double length;
};

/// Links both ways, and points that coincide.
std::vector<std::vector<Way>> waysOf(const SceneModel& scene, const std::vector<double>& points, double joined)
{
    std::vector<std::vector<Way>> ways(static_cast<std::size_t>(scene.pointCount));
    const auto connect = [&ways](int a, int b, double span) {
        ways[static_cast<std::size_t>(a)].push_back({b, span});
        ways[static_cast<std::size_t>(b)].push_back({a, span});
    };
    for (const Part& part : scene.parts)
        if (isLink(part.kind))
            connect(part.firstPoint, part.firstPoint + 1,
                    length(pointOf(points, part.firstPoint) - pointOf(points, part.firstPoint + 1)));
    std::vector<int> order(static_cast<std::size_t>(scene.pointCount));
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&points](int a, int b) {
        const Vec3 p = pointOf(points, a), q = pointOf(points, b);
        return std::tie(p.x, p.y, p.z, a) < std::tie(q.x, q.y, q.z, b);
    };
    std::sort(order.begin(), order.end(), before);
    // Those within the distance follow each other closely; a line of many with one x is told apart by y.
    constexpr std::size_t kNeighbours = 64;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1; k < std::min(order.size(), i + kNeighbours); ++k) {
            const Vec3 apart = pointOf(points, order[k]) - pointOf(points, order[i]);
            if (apart.x > joined)
                break;
            if (length(apart) <= joined)
                connect(order[i], order[k], 0);
        }
    return ways;
}

Reach reachOf(const SceneModel& scene, const std::vector<double>& points, double joined)
{
    const auto count = static_cast<std::size_t>(scene.pointCount);
    Reach reach{std::vector<double>(count, std::numeric_limits<double>::infinity()), std::vector<int>(count, -1)};
    const auto ways = waysOf(scene, points, joined);
    using Stop = std::pair<double, int>;
    std::priority_queue<Stop, std::vector<Stop>, std::greater<>> due;
    const auto improve = [&](int to, double distance, int root) {
        const auto i = static_cast<std::size_t>(to);
        if (!(distance < reach.distance[i]))
            return;
        reach.distance[i] = distance;
        reach.root[i] = root;
        due.emplace(distance, to);
    };
    for (const Part& part : scene.parts)
        if (part.kind == VisualKind::GroundPin || part.kind == VisualKind::Slider)
            improve(part.firstPoint, 0, part.firstPoint);
    while (!due.empty()) {
        const auto [distance, at] = due.top();
        due.pop();
        if (distance > reach.distance[static_cast<std::size_t>(at)])
            continue;
        for (const Way& way : ways[static_cast<std::size_t>(at)])
            improve(way.to, distance + way.length, reach.root[static_cast<std::size_t>(at)]);
    }
    return reach;
}

/// The median of the links' lengths.
double typicalLink(const SceneModel& scene, const std::vector<double>& points)
{
    std::vector<double> lengths;
    for (const Part& part : scene.parts)
        if (isLink(part.kind) && part.pointCount > 1)
            lengths.push_back(length(pointOf(points, part.firstPoint) - pointOf(points, part.firstPoint + 1)));
    // A few links say nothing about the rest of a mechanism.
    constexpr std::size_t kFew = 6;
    if (lengths.size() < kFew)
        return 0;
    std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
    return lengths[lengths.size() / 2];
}

/// Some of the traces, evenly among them, the last one always.
std::vector<int> fewer(const std::vector<int>& traces)
{
    if (traces.size() <= kMostTraces)
        return traces;
    std::vector<int> out;
    for (std::size_t k = 1; k <= kMostTraces; ++k)
        out.push_back(traces[k * traces.size() / kMostTraces - 1]);
    return out;
}

Bounds extentOf(const SceneModel& scene, const std::vector<double>& points)
{
    Bounds seen;
    for (int i = 0; i < scene.pointCount; ++i)
        seen.include(pointOf(points, i));
    const double size = std::max(length(seen.size()), 1e-9);
    const Reach reach = reachOf(scene, points, 1e-6 * size);
    Bounds box = seen;
    for (int i = 0; i < scene.pointCount; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (reach.root[k] < 0 || !std::isfinite(reach.distance[k]))
            continue;
        const Vec3 root = pointOf(points, reach.root[k]);
        const double r = reach.distance[k];
        box.include(root - Vec3{r, r, scene.planar ? 0 : r});
        box.include(root + Vec3{r, r, scene.planar ? 0 : r});
    }
    const Vec3 grown = box.size();
    if (std::max(grown.x, grown.y) <= 0)
        box.include(box.empty() ? Vec3{} : box.center(), 1.0);
    return box;
}

/// The lowest place of a part: a round one reaches below its points.
double lowestOf(const Part& part, const std::vector<double>& points)
{
    const Vec3 a = pointOf(points, part.firstPoint);
    double low = a.y;
    for (int i = 1; i < part.pointCount; ++i)
        low = std::min(low, pointOf(points, part.firstPoint + i).y);
    if (part.kind == VisualKind::RigidSphere)
        return a.y - length(pointOf(points, part.firstPoint + 1) - a);
    if (part.kind == VisualKind::RigidDisc && part.pointCount > 2) {
        const Vec3 u = pointOf(points, part.firstPoint + 1) - a, v = pointOf(points, part.firstPoint + 2) - a;
        return a.y - std::hypot(u.y, v.y);
    }
    return low;
}

/// A mechanism stands where nothing is lower than the feet of its supports at the start, and a body where it touches the height
/// 0; what hangs has the floor below all that is seen.
void setFloor(SceneModel& scene, const std::vector<double>& points)
{
    constexpr double kTouches = 1e-6;
    const double size = scene.characteristicLength();
    double lowest = std::numeric_limits<double>::infinity(), support = lowest;
    for (const Part& part : scene.parts) {
        const double low = lowestOf(part, points);
        lowest = std::min(lowest, low);
        if (part.kind == VisualKind::GroundPin)
            support = std::min(support, low);
    }
    scene.floor = scene.deepFloor = std::min(scene.extent.low.y, lowest) - 0.05 * scene.drawnLength();
    const double foot = kSupportHeight * scene.drawnLength();
    if (std::isfinite(support) && lowest >= support - foot)
        scene.floor = support - foot;
    else if (!std::isfinite(support) && std::abs(lowest) <= kTouches * size)
        scene.floor = lowest;
}

} // namespace

SceneModel sceneModelOf(const model::Model& model, const std::vector<double>& points)
{
    SceneModel scene;
    scene.planar = model.view.planar;
    scene.lengthUnit = model.view.lengthUnit > 0 ? model.view.lengthUnit : 1;
    scene.arrowCount = static_cast<int>(model.system.arrows.size());
    scene.velocityCount = static_cast<int>(model.system.velocities.size());
    for (const model::Visual& visual : model.system.visuals) {
        Part part;
        part.kind = visual.kind;
        part.firstPoint = scene.pointCount;
        part.pointCount = static_cast<int>(visual.points.size());
        part.size = visual.size;
        part.size2 = visual.size2;
        if (part.pointCount == 0)
            continue;
        if (leavesTrail(part.kind))
            scene.traces.push_back(part.firstPoint);
        scene.pointCount += part.pointCount;
        scene.parts.push_back(part);
    }
    // A mechanism of bars alone shows the paths of the bars' free ends.
    if (scene.traces.empty())
        for (const Part& part : scene.parts)
            if (isLink(part.kind) && part.pointCount > 1)
                scene.traces.push_back(part.firstPoint + 1);
    scene.traces = fewer(scene.traces);
    scene.link = typicalLink(scene, points);
    scene.extent = extentOf(scene, points);
    if (model.view.extent > 0) {
        const Vec3 center{model.view.centerX, model.view.centerY, model.view.centerZ};
        scene.extent = {};
        const double e = model.view.extent;
        const Vec3 half{e, e, scene.planar ? 0 : e};
        scene.extent.include(center - half);
        scene.extent.include(center + half);
    }
    setFloor(scene, points);
    double mean = 0;
    for (int i = 0; i < scene.pointCount; ++i)
        mean += pointOf(points, i).y / scene.pointCount;
    for (Part& part : scene.parts)
        part.hanging = part.kind == VisualKind::GroundPin
                       && mean <= pointOf(points, part.firstPoint).y + 1e-9 * scene.characteristicLength();
    return scene;
}

ModelScene::ModelScene(std::shared_ptr<const model::CompiledSystem> system) : evaluator_(std::move(system))
{
    const model::CompiledSystem& compiled = evaluator_.compiled();
    defaults_ = compiled.defaultParameters();
    state_.resize(compiled.n(), compiled.w());
    points_.resize(static_cast<std::size_t>(3 * compiled.scenePointCount()));
}

Result<std::unique_ptr<ModelScene>> ModelScene::create(std::shared_ptr<const model::CompiledSystem> system)
{
    std::unique_ptr<ModelScene> made(new ModelScene(std::move(system)));
    made->evaluator_.setParameters(made->defaults_);
    model::ModelState& start = made->state_;
    if (!made->evaluator_.starts(start.q.data(), start.v.data(), start.lambda.data() + made->evaluator_.compiled().m())
        || !made->evaluator_.scene(0, start.q.data(), made->points_.data(), start.lambda.data()))
        return Diagnostic{.what = "The model cannot be drawn at its start",
                          .where = made->evaluator_.compiled().model().name,
                          .why = made->evaluator_.message(),
                          .remedy = "change the initial values"};
    made->model_ = sceneModelOf(made->evaluator_.compiled().model(), made->points_);
    made->start_.points = made->points_;
    made->start_.selected = true;
    return made;
}

Result<RunFrame> ModelScene::at(const model::ModelState& state, std::span<const double> parameters)
{
    const model::CompiledSystem& compiled = evaluator_.compiled();
    if (static_cast<int>(state.q.size()) != compiled.n()
        || (!parameters.empty() && static_cast<int>(parameters.size()) != compiled.parameterCount()))
        return Diagnostic{.what = "The state does not belong to this model",
                          .where = compiled.model().name,
                          .why = "the numbers of coordinates or parameters differ"};
    evaluator_.setParameters(parameters.empty() ? std::span<const double>(defaults_) : parameters);
    RunFrame frame;
    frame.selected = true;
    frame.points.resize(points_.size());
    if (!evaluator_.scene(state.t, state.q.data(), frame.points.data(), state.lambda.data()))
        return Diagnostic{
            .what = "The model cannot be drawn at this state", .where = compiled.model().name, .why = evaluator_.message()};
    if (static_cast<int>(state.lambda.size()) == compiled.w() && model_.arrowCount > 0) {
        frame.arrows.resize(static_cast<std::size_t>(6 * model_.arrowCount));
        if (!evaluator_.arrows(state.t, state.q.data(), state.lambda.data(), frame.arrows.data()))
            frame.arrows.clear();
    }
    if (model_.velocityCount > 0) {
        frame.velocities.resize(static_cast<std::size_t>(6 * model_.velocityCount));
        if (!evaluator_.velocityArrows(state.t, state.q.data(), state.v.data(), frame.velocities.data()))
            frame.velocities.clear();
    }
    return frame;
}

std::vector<RunFrame> ModelScene::at(double t, const std::vector<RecordedRun>& runs, bool trails, bool arrows)
{
    std::vector<RunFrame> frames;
    frames.reserve(runs.size());
    trails_.resize(runs.size());
    for (const RecordedRun& run : runs) {
        RunFrame frame = start_;
        const bool fits = !run.recording.empty() && run.recording.n() == evaluator_.compiled().n()
                          && run.recording.m() == evaluator_.compiled().w();
        if (fits && run.recording.stateAt(t, state_.q.data(), state_.v.data(), state_.lambda.data())) {
            state_.t = std::clamp(t, run.recording.firstTime(), run.recording.lastTime());
            if (auto drawn = at(state_, parametersAt(t, run)))
                frame = std::move(drawn.value());
            if (!arrows) {
                frame.arrows.clear();
                frame.velocities.clear();
            }
            if (trails)
                addTrail(state_.t, run, trails_[frames.size()], frame);
        }
        frame.colour = run.colour;
        frame.selected = run.selected;
        frames.push_back(std::move(frame));
    }
    return frames;
}

std::vector<ImpulseMark> ModelScene::impulses(double t, const run::ImpactEvent& impact, const RecordedRun& run)
{
    const model::CompiledSystem& compiled = evaluator_.compiled();
    const model::ConstrainedSystem& s = compiled.system();
    const bool fits = !run.recording.empty() && run.recording.n() == compiled.n() && run.recording.m() == compiled.w();
    if (!fits || !run.recording.stateAt(t, state_.q.data(), state_.v.data(), state_.lambda.data()))
        return {};
    state_.t = t;
    std::ranges::fill(state_.lambda, 0.0);
    std::vector<const model::OneSided*> undrawn; // contacts that have no arrow
    for (std::size_t k = 0; k < impact.contacts.size() && k < impact.multipliers.size(); ++k) {
        const auto row =
            std::ranges::find_if(s.oneSided, [&](const model::OneSided& one) { return one.row.name == impact.contacts[k]; });
        if (row == s.oneSided.end())
            continue;
        const auto idle = std::ranges::find(s.idle, row->row.multiplier);
        const bool drawn = std::ranges::any_of(s.arrows, [&](const auto& arrow) { return arrow.owner == row->row.joint; });
        if (idle == s.idle.end() || !drawn)
            undrawn.push_back(&*row);
        else // the idle ones are the last
            *(state_.lambda.end() - (s.idle.end() - idle)) = impact.multipliers[k];
    }
    for (const run::ImpactEvent::Rubbed& rubbed : impact.rubbed) {
        const auto row =
            std::ranges::find_if(s.oneSided, [&](const model::OneSided& one) { return one.row.name == rubbed.row; });
        const auto idle = row == s.oneSided.end() ? s.idle.end() : std::ranges::find(s.idle, row->row.multiplier);
        if (idle != s.idle.end())
            *(state_.lambda.end() - (s.idle.end() - idle)) = rubbed.multiplier;
    }
    const auto frame = at(state_, parametersAt(t, run));
    std::vector<ImpulseMark> out;
    if (!frame)
        return out;
    for (std::size_t i = 0; i + 5 < frame->arrows.size(); i += 6) {
        const ImpulseMark mark{{frame->arrows[i], frame->arrows[i + 1], frame->arrows[i + 2]},
                               {frame->arrows[i + 3], frame->arrows[i + 4], frame->arrows[i + 5]}};
        if (finite(mark.at) && finite(mark.impulse) && length(mark.impulse) > 0)
            out.push_back(mark);
    }
    int point = 0;
    for (const model::Visual& visual : s.visuals) {
        const bool hit = std::ranges::any_of(undrawn, [&](const model::OneSided* row) {
            return std::ranges::find(row->row.bodies, visual.owner) != row->row.bodies.end();
        });
        if (hit && !visual.points.empty())
            out.push_back({.at = frame->point(point), .impulse = {}});
        point += static_cast<int>(visual.points.size());
    }
    return out;
}

/// Those that a run had at t; empty: the model's own.
std::span<const double> ModelScene::parametersAt(double t, const RecordedRun& run) const
{
    const auto then = std::ranges::find_if(run.earlier, [t](const run::ParametersUntil& one) { return t < one.until; });
    const std::vector<double>& values = then == run.earlier.end() ? run.parameters : then->values;
    const bool own = static_cast<int>(values.size()) == evaluator_.compiled().parameterCount();
    return own ? std::span<const double>(values) : std::span<const double>{};
}

bool ModelScene::traceAt(double t, const RecordedRun& run, double* out)
{
    const auto parameters = parametersAt(t, run);
    evaluator_.setParameters(parameters.empty() ? std::span<const double>(defaults_) : parameters);
    if (!run.recording.stateAt(t, state_.q.data(), state_.v.data(), state_.lambda.data())
        || !evaluator_.scene(t, state_.q.data(), points_.data(), state_.lambda.data()))
        return false;
    for (const int trace : model_.traces)
        for (int c = 0; c < 3; ++c)
            *out++ = points_[static_cast<std::size_t>(3 * trace + c)];
    return true;
}

// Samples lie on a fixed grid of time and on halves of its cells, so that a trail does not shimmer as it moves on; the last one
// is the body itself. Cells in which a trace turns or leaps are halved: a curve, however long the steps are, and a gap where a
// state was set.
void ModelScene::addTrail(double t, const RecordedRun& run, TrailMemory& memory, RunFrame& frame)
{
    const double step = trailSeconds(evaluator_.compiled().model()) / kTrailSamples;
    const int samples = std::clamp(kTrailWork / std::max(1, evaluator_.compiled().n()), kFewestSamples, kTrailSamples);
    const double newest = std::floor(t / step), first = (newest - (samples - 1)) * step;
    TrailCurve curve(3 * model_.traces.size(), kBend, kLeap * model_.drawnLength());
    std::vector<double> parameters = run.parameters; // all that the trail depends on
    for (const run::ParametersUntil& one : run.earlier) {
        parameters.push_back(one.until);
        parameters.insert(parameters.end(), one.values.begin(), one.values.end());
    }
    memory.begin(run.recording, parameters, first, t);
    const auto at = [&](double when, double* out) {
        return memory.at(when, out, 3 * model_.traces.size(),
                         [&](double then, double* sample) { return traceAt(then, run, sample); });
    };
    for (int k = samples - 1; k >= 0; --k)
        curve.add((newest - k) * step, at);
    std::vector<double> now;
    for (const int trace : model_.traces)
        for (int c = 0; c < 3; ++c)
            now.push_back(frame.points[static_cast<std::size_t>(3 * trace + c)]);
    curve.end(t, now);
    frame.trail = curve.refined(at);
    frame.trailSamples = static_cast<int>(curve.times().size());
    for (const double when : curve.times())
        frame.trailShares.push_back(t > first ? std::clamp((when - first) / (t - first), 0.0, 1.0) : 1.0);
}

} // namespace driftless::scene
