// From models and recordings to what the renderer draws.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Event.h"
#include "core/run/Past.h"
#include "core/run/Recording.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"
#include "ui/scene/SceneTypes.h"
#include "ui/scene/TrailMemory.h"

namespace driftless::scene {

/// The parts of a model and the extent its mechanism can reach: circles about the ground pins whose radius is the length of
/// the links from there, and the rails with their sliders. points are the scene points at the start, three numbers each.
/// A view stated by the model file wins.
SceneModel sceneModelOf(const model::Model& model, const std::vector<double>& points);

/// One run as recorded.
struct RecordedRun {
    int colour = 0;
    bool selected = false;
    run::RecordingView recording;
    std::vector<double> parameters;              ///< at the time that is drawn; empty: the model's own
    std::vector<run::ParametersUntil> earlier{}; ///< those before, for the trail
};

/// Where an impulse acts. Without a direction where the contact has no force arrow.
struct ImpulseMark {
    Vec3 at;      ///< [m]
    Vec3 impulse; ///< [N s] on the body
};

/// Evaluates a model's scene points, arrows and trails. One per thread.
class ModelScene {
public:
    static constexpr double kTrailSeconds = 3.0;
    static constexpr int kTrailSamples = 96; ///< over kTrailSeconds; large models have shorter trails

    /// Fails when the model's start leaves the domain of an expression; then there is nothing to draw.
    static Result<std::unique_ptr<ModelScene>> create(std::shared_ptr<const model::CompiledSystem> system);

    const SceneModel& sceneModel() const { return model_; }

    /// A run at a state; lambda may be empty (then without arrows).
    Result<RunFrame> at(const model::ModelState& state, std::span<const double> parameters);
    /// The start of the model with its own parameters.
    RunFrame atStart() const { return start_; }
    /// Every run at t, or where its recording ends. Runs without a recorded step stand at the start.
    std::vector<RunFrame> at(double t, const std::vector<RecordedRun>& runs, bool trails, bool arrows);
    /// The impulses of an impact at t [s]: force arrows of the contacts, of multipliers that are integrated over the instant.
    std::vector<ImpulseMark> impulses(double t, const run::ImpactEvent& impact, const RecordedRun& run);

private:
    explicit ModelScene(std::shared_ptr<const model::CompiledSystem> system);
    void addTrail(double t, const RecordedRun& run, TrailMemory& memory, RunFrame& frame);
    std::span<const double> parametersAt(double t, const RecordedRun& run) const;
    bool traceAt(double t, const RecordedRun& run, double* out);

    model::SystemEvaluator evaluator_;
    SceneModel model_;
    RunFrame start_;
    model::ModelState state_;
    std::vector<double> points_, defaults_;
    std::vector<TrailMemory> trails_; ///< of the runs in the order in which they were drawn last
};

} // namespace driftless::scene
