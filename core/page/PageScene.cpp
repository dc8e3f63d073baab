#include "core/page/PageScene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/page/Base64.h"

namespace driftless::page {

namespace {

using model::VisualKind;
using nlohmann::ordered_json;

/// Points times frames of a page: 130,000 of them are one megabyte as text.
constexpr std::size_t kPlaces = 130'000;
constexpr int kFewestFrames = 60, kMostFrames = 6000;
constexpr double kFramesPerSecond = 30;
/// Of all places on each side, those that a scene is not fitted to: a run that flies away must not make the others a dot.
constexpr double kOutliers = 0.01;
/// The view can be moved this many times its own size away before a place is clamped.
constexpr double kRoom = 2;

using Box = std::array<std::array<double, 2>, 3>; ///< low and high of x, y, z [m]

/// Of the view: what a line between two frames may miss in its middle. Nine frames in ten have to keep it, for an impact or a
/// run that has gone astray is no reason to show the others as single pictures.
constexpr double kSeen = 0.005, kMostLines = 0.9;

struct Frames {
    double from = 0, to = 0; ///< [s]
    int count = 0;
    std::vector<double> places; ///< count x points x 3 [m]
    bool lines = true;          ///< between two frames every point is near the line between its places
};

std::string_view kindName(VisualKind kind)
{
    constexpr std::array<std::string_view, 14> kNames{"point",  "bar",  "disc",   "block",  "sphere", "rod",    "pin",
                                                      "ground", "rail", "slider", "spring", "curve",  "damper", "stop"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool leavesTrail(VisualKind kind)
{
    return kind == VisualKind::PointMass || kind == VisualKind::RigidDisc || kind == VisualKind::RigidBlock
           || kind == VisualKind::RigidSphere;
}

ordered_json partsOf(const model::ConstrainedSystem& system)
{
    ordered_json parts = ordered_json::array();
    int first = 0;
    for (const model::Visual& visual : system.visuals) {
        const int count = static_cast<int>(visual.points.size());
        if (count > 0)
            parts.push_back({{"kind", kindName(visual.kind)},
                             {"owner", visual.owner},
                             {"first", first},
                             {"count", count},
                             {"size", visual.size},
                             {"size2", visual.size2},
                             {"trail", leavesTrail(visual.kind)}});
        first += count;
    }
    return parts;
}

/// The parameters in force at t.
const std::vector<double>& parametersAt(const PageRun& run, double t)
{
    const auto later = std::find_if(run.parameters.begin() + 1, run.parameters.end(), [t](const auto& p) { return p.t > t; });
    return (later - 1)->values;
}

double lastOf(const PageRun& run) { return std::min(run.until, run.recording.lastTime()); }

/// Where the points of a run are at a time.
class Places {
public:
    explicit Places(const PageRun& run)
        : run_(run), evaluator_(run.system), last_(lastOf(run)),
          xyz_(static_cast<std::size_t>(3 * run.system->scenePointCount()))
    {
        state_.resize(run.system->n(), run.system->w());
    }
    /// An end of a recording stands still, and a state that cannot be drawn leaves the picture before it.
    const std::vector<double>& at(double t)
    {
        t = std::min(last_, t);
        evaluator_.setParameters(parametersAt(run_, t));
        if (run_.recording.stateAt(t, state_.q.data(), state_.v.data(), state_.lambda.data()))
            evaluator_.scene(t, state_.q.data(), xyz_.data(), state_.lambda.data());
        return xyz_;
    }

private:
    const PageRun& run_;
    model::SystemEvaluator evaluator_;
    double last_;
    model::ModelState state_;
    std::vector<double> xyz_;
};

/// Where every point is at equal times.
Frames framesOf(const PageRun& run, double from, double to, int count)
{
    Frames frames{.from = from, .to = to, .count = count, .places = {}};
    Places places(run);
    for (int k = 0; k < count; ++k) {
        const auto& xyz = places.at(count > 1 ? from + (to - from) * k / (count - 1) : from);
        frames.places.insert(frames.places.end(), xyz.begin(), xyz.end());
    }
    return frames;
}

/// [s]; also between two frames.
double timeOf(const Frames& frames, double frame)
{
    return frames.from + (frames.to - frames.from) * frame / std::max(1, frames.count - 1);
}

/// Whether lines between the frames are the motion, as far as a scene of that size shows it.
bool linesSuffice(const PageRun& run, const Frames& frames, double size)
{
    constexpr int kLooks = 400;
    Places places(run);
    const std::size_t numbers = frames.places.size() / static_cast<std::size_t>(std::max(1, frames.count));
    const int gaps = frames.count - 1, step = std::max(1, gaps / kLooks);
    int seen = 0, kept = 0;
    for (int k = 0; k < gaps && timeOf(frames, k + 1) <= lastOf(run); k += step) { // behind its end a run stands still
        const double *const a = &frames.places[static_cast<std::size_t>(k) * numbers], *const b = a + numbers;
        double worst = 0, way = 0;
        for (std::size_t i = 0; i < numbers; ++i)
            way = std::max(way, std::abs(b[i] - a[i]));
        for (const double share : {0.382, 0.5, 0.764}) { // no turns that all end in a gap pass all three
            const auto& xyz = places.at(timeOf(frames, k + share));
            for (std::size_t i = 0; i < numbers; ++i)
                worst = std::max(worst, std::abs(xyz[i] - (a[i] + share * (b[i] - a[i]))));
        }
        if (std::max(worst, way) <= kSeen * size) // what rests says nothing of what moves
            continue;
        ++seen;
        kept += worst <= kSeen * size ? 1 : 0;
    }
    return kept >= kMostLines * seen;
}

/// What nearly all places lie within.
Box boxOf(const std::vector<const Frames*>& all)
{
    Box box{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<double> values;
        for (const Frames* frames : all)
            for (std::size_t i = axis; i < frames->places.size(); i += 3)
                if (std::isfinite(frames->places[i]))
                    values.push_back(frames->places[i]);
        if (values.empty())
            continue;
        std::sort(values.begin(), values.end());
        const auto left = static_cast<std::size_t>(kOutliers * static_cast<double>(values.size()));
        const double low = values[left], high = values[values.size() - 1 - left], span = high - low;
        // Ends that are only a little further are no outliers.
        box[axis] = {std::max(values.front(), low - span), std::min(values.back(), high + span)};
    }
    return box;
}

/// What the scene is fitted to: the model file's view and beyond it where the points were, as with a longer rod.
ordered_json viewOf(const model::Model& model, const Box& box)
{
    const model::View& view = model.view;
    const std::array<double, 3> center{view.centerX, view.centerY, view.centerZ};
    ordered_json low = ordered_json::array(), high = ordered_json::array();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool flat = axis == 2 && view.planar;
        const double half = flat ? 0 : view.extent;
        low.push_back(view.extent > 0 ? std::min(center[axis] - half, box[axis][0]) : box[axis][0]);
        high.push_back(view.extent > 0 ? std::max(center[axis] + half, box[axis][1]) : box[axis][1]);
    }
    return {{"low", std::move(low)}, {"high", std::move(high)}};
}

ordered_json sceneJson(const PageRun& first, const Box& fitted, const Box& room)
{
    const model::Model& model = first.system->model();
    ordered_json low = ordered_json::array(), high = ordered_json::array();
    for (const auto& [from, to] : room) {
        low.push_back(from);
        high.push_back(to);
    }
    return {{"model", model.name},
            {"title", model.title.empty() ? model.name : model.title},
            {"planar", model.view.planar},
            {"unit", model.view.lengthUnit > 0 ? model.view.lengthUnit : 1},
            {"points", first.system->scenePointCount()},
            {"low", std::move(low)},
            {"high", std::move(high)},
            {"view", viewOf(model, fitted)},
            {"parts", partsOf(model.system)}};
}

/// Room to both sides of what is seen, the same on all axes.
Box roomAround(const Box& fitted)
{
    double span = 1e-9;
    for (const auto& [low, high] : fitted)
        span = std::max(span, high - low);
    Box room = fitted;
    for (auto& [low, high] : room) {
        low -= kRoom * span;
        high += kRoom * span;
    }
    return room;
}

ordered_json packed(const Frames& frames, const Box& room)
{
    std::vector<std::uint8_t> bytes;
    bytes.reserve(2 * frames.places.size());
    for (std::size_t i = 0; i < frames.places.size(); ++i) {
        const auto& [low, high] = room[i % 3];
        const double share = (frames.places[i] - low) / (high - low);
        const double whole = std::isfinite(share) ? std::round(65535 * std::clamp(share, 0.0, 1.0)) : 0;
        const auto number = static_cast<std::uint32_t>(whole);
        bytes.push_back(static_cast<std::uint8_t>(number));
        bytes.push_back(static_cast<std::uint8_t>(number >> 8));
    }
    return {
        {"from", frames.from}, {"to", frames.to}, {"count", frames.count}, {"lines", frames.lines}, {"points", base64(bytes)}};
}

/// The runs that share a scene, each group by the number of its first run.
std::vector<std::vector<std::size_t>> groupsOf(const std::vector<PageRun>& runs)
{
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].moves)
            continue;
        const auto same = [&](const auto& group) {
            const PageRun& other = runs[group.front()];
            return other.bench == runs[i].bench && other.system->model().name == runs[i].system->model().name
                   && other.system->scenePointCount() == runs[i].system->scenePointCount();
        };
        const auto found = std::find_if(groups.begin(), groups.end(), same);
        if (found == groups.end())
            groups.push_back({i});
        else
            found->push_back(i);
    }
    return groups;
}

int frameCount(double seconds, std::size_t points, std::size_t runs)
{
    const std::size_t affordable = kPlaces / std::max<std::size_t>(1, points * runs);
    const double wanted = std::max<double>(300, kFramesPerSecond * seconds);
    return static_cast<int>(std::min({wanted, static_cast<double>(affordable), static_cast<double>(kMostFrames)}));
}

} // namespace

Result<PageScenes> scenesOf(const std::vector<PageRun>& runs)
{
    PageScenes out{.scenes = ordered_json::array(), .sceneOf = std::vector<int>(runs.size(), -1), .framesOf = {}};
    out.framesOf.resize(runs.size());
    for (const auto& group : groupsOf(runs)) {
        const PageRun& first = runs[group.front()];
        const auto points = static_cast<std::size_t>(first.system->scenePointCount());
        double from = first.recording.firstTime(), to = from;
        for (const std::size_t i : group)
            to = std::max(to, lastOf(runs[i]));
        const int count = frameCount(to - from, points, runs.size());
        if (points > 0 && count < kFewestFrames)
            return Diagnostic{.what = "The model has too many points for a page",
                              .where = first.system->model().name,
                              .why = std::to_string(points) + " points in " + std::to_string(runs.size()) + " runs",
                              .remedy = "fewer runs, or a smaller model"};
        std::vector<Frames> frames;
        std::vector<const Frames*> all;
        for (const std::size_t i : group)
            frames.push_back(points > 0 ? framesOf(runs[i], from, to, count) : Frames{});
        for (std::size_t k = 0; k < group.size(); ++k)
            if (runs[group[k]].report.status != "failed")
                all.push_back(&frames[k]);
        // Of runs that failed nobody knows where they were on their way to.
        if (all.empty())
            for (const Frames& of : frames)
                all.push_back(&of);
        const Box fitted = boxOf(all), room = roomAround(fitted);
        double size = 0;
        for (const auto& [low, high] : fitted)
            size = std::max(size, high - low);
        for (std::size_t k = 0; k < group.size(); ++k) {
            frames[k].lines = linesSuffice(runs[group[k]], frames[k], size);
            out.sceneOf[group[k]] = static_cast<int>(out.scenes.size());
            out.framesOf[group[k]] = packed(frames[k], room);
        }
        out.scenes.push_back(points > 0 ? sceneJson(first, fitted, room) : ordered_json());
    }
    return out;
}

} // namespace driftless::page
