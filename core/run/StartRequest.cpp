// The start values of a mechanism, as a request for a consistent state.
#include "core/run/StartRequest.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/system/Model.h"

namespace driftless::run {

using model::TargetKind;

namespace {

/// The request, one kind of values after the other: those of the file, of the chart, of coordinates and multipliers; and which
/// of them are fixed.
struct StartValues {
    const StartSettings& start;
    model::SystemEvaluator& evaluator;
    consistency::Request request{};
    std::vector<double> chart{}, chartRate{}; ///< empty: no value of the chart is set
    std::vector<std::pair<model::Target, double>> direct{};

    const model::ConstrainedSystem& system() const { return evaluator.compiled().system(); }
    Diagnostic domain(const char* what) const
    {
        const char* const where = system().coordinates.empty() ? "" : "start values";
        return {what, where, evaluator.message(), "other start values", {}};
    }

    Result<void> takeFile()
    {
        const model::ConstrainedSystem& s = system();
        const auto n = static_cast<std::size_t>(s.n());
        request.metric = start.massMetric ? consistency::Metric::Mass : consistency::Metric::Identity;
        request.q.resize(n);
        request.v.resize(n);
        request.qFixed.assign(n, false);
        request.vFixed.assign(n, false);
        request.allowInconsistent = start.allowInconsistent;
        request.lambda.resize(static_cast<std::size_t>(s.w()));
        for (std::size_t i = 0; i < s.constraints.size(); ++i)
            request.lambda[i] = s.constraints[i].multiplierStart;
        if (!evaluator.starts(request.q.data(), request.v.data(), request.lambda.data() + s.m()))
            return domain("The model's start values cannot be computed");
        return {};
    }

    /// The values that are set: those of the chart apart from the others.
    Result<void> sort()
    {
        for (const auto& [name, value] : start.values) {
            const auto target = model::resolveName(system(), name);
            if (!target)
                return target.error();
            if (!std::isfinite(value))
                return Diagnostic{"The start value of " + name + " is not a finite number", {}, {}, {}, {}};
            if (target->kind != TargetKind::ChartPosition && target->kind != TargetKind::ChartVelocity) {
                direct.emplace_back(*target, value);
                continue;
            }
            if (chart.empty()) {
                chart.resize(system().chart->coordinates.size());
                chartRate = chart;
                if (!evaluator.toChart(0, request.q.data(), request.v.data(), chart.data(), chartRate.data()))
                    return domain("The chart cannot be computed at the start values");
            }
            (target->kind == TargetKind::ChartPosition ? chart : chartRate)[static_cast<std::size_t>(target->index)] = value;
        }
        return {};
    }

    Result<void> takeChart()
    {
        const auto n = static_cast<std::size_t>(system().n());
        if (!chart.empty()) {
            if (!evaluator.fromChart(0, chart.data(), chartRate.data(), request.q.data(), request.v.data()))
                return domain("The chart gives no start values");
            request.qFixed.assign(n, true);
            request.vFixed.assign(n, true);
        } else if (start.values.empty()) {
            for (std::size_t i = 0; i < n; ++i) {
                request.qFixed[i] = system().coordinates[i].positionStatus == model::InitialStatus::Fixed;
                request.vFixed[i] = system().coordinates[i].velocityStatus == model::InitialStatus::Fixed;
            }
        }
        return {};
    }

    Result<void> takeDirect()
    {
        const model::ConstrainedSystem& s = system();
        for (const auto& [target, value] : direct) {
            const auto i = static_cast<std::size_t>(target.index);
            if (target.kind == TargetKind::Parameter)
                return Diagnostic{target.fullName + " is a parameter, not a start value", {}, {}, {}, {}};
            if (target.kind == TargetKind::Multiplier) {
                request.lambda[i] = value;
                request.lambdaGiven = true;
            } else if (target.kind == TargetKind::Dynamic || target.kind == TargetKind::Effort) {
                const std::size_t first = s.constraints.size() + (target.kind == TargetKind::Effort ? s.dynamics.size() : 0);
                request.lambda[first + i] = value;
            } else {
                (target.kind == TargetKind::Position ? request.q : request.v)[i] = value;
                (target.kind == TargetKind::Position ? request.qFixed : request.vFixed)[i] = true;
            }
        }
        return {};
    }

    /// What the file fixes beside coordinates: positions, then velocities, are those of the system with these rows. Values that
    /// are set by hand take the place of what the file fixes.
    Result<void> meetRows()
    {
        const auto& rows = system().startRows;
        if (rows.empty() || start.allowInconsistent || !start.values.empty() || start.fixed)
            return {};
        for (const bool positions : {true, false}) {
            if (std::ranges::none_of(rows, [positions](const model::Constraint& c) { return c.holonomic == positions; }))
                continue;
            auto bound = withRows(positions);
            if (!bound)
                return bound.error();
            consistency::ConsistencySolver solver(*bound);
            solver.setParameters(evaluator.parameters());
            consistency::Request asked = request;
            const auto more = static_cast<std::ptrdiff_t>((*bound)->m() - evaluator.compiled().m());
            asked.lambda.insert(asked.lambda.begin() + evaluator.compiled().m(), static_cast<std::size_t>(more), 0.0);
            (positions ? asked.vFixed : asked.qFixed).assign(request.q.size(), !positions);
            const auto solved = solver.solve(asked);
            if (!solved)
                return solved.error();
            (positions ? request.q : request.v) = positions ? solved->state.q : solved->state.v;
        }
        return {};
    }

    /// Multipliers come first of all that follows the rates, those of g before those of psi.
    Result<std::shared_ptr<const model::CompiledSystem>> withRows(bool positions) const
    {
        auto model = std::make_shared<model::Model>(evaluator.compiled().model());
        model::ConstrainedSystem& s = model->system;
        for (const model::Constraint& c : s.startRows)
            if (c.holonomic == positions)
                s.constraints.insert(c.holonomic ? s.constraints.begin() + s.holonomic() : s.constraints.end(), c);
        s.startRows.clear();
        s.outputs.clear();
        s.chart.reset();
        return model::CompiledSystem::compile(std::move(model));
    }

    /// Names that are fixed in place of those above.
    Result<void> fix()
    {
        if (!start.fixed)
            return {};
        const auto n = static_cast<std::size_t>(system().n());
        request.qFixed.assign(n, false);
        request.vFixed.assign(n, false);
        for (const std::string& name : *start.fixed) {
            const auto target = model::resolveName(system(), name);
            if (!target)
                return target.error();
            if (target->kind != TargetKind::Position && target->kind != TargetKind::Velocity)
                return Diagnostic{name + " cannot be fixed at the start",
                                  {},
                                  "only positions and velocities are",
                                  "the name of a coordinate",
                                  {}};
            const bool position = target->kind == TargetKind::Position;
            (position ? request.qFixed : request.vFixed)[static_cast<std::size_t>(target->index)] = true;
        }
        return {};
    }
};

} // namespace

Result<consistency::Request> startRequest(const StartSettings& start, model::SystemEvaluator& evaluator)
{
    if (evaluator.compiled().model().reduced)
        return Diagnostic{
            "Start values are explained for mechanisms",
            evaluator.compiled().model().name,
            "those of a text of equations are made consistent when its run begins, which says by how much they moved",
            "driftless start, which explains them",
            {}};
    StartValues values{.start = start, .evaluator = evaluator};
    for (const auto take : {&StartValues::takeFile, &StartValues::sort, &StartValues::takeChart, &StartValues::takeDirect,
                            &StartValues::fix, &StartValues::meetRows})
        if (auto taken = (values.*take)(); !taken)
            return taken.error();
    return std::move(values.request);
}

} // namespace driftless::run
