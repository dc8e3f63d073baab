#include "tests/bench/race/SameMethod.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "tests/bench/Drive.h"
#include "tests/bench/race/Hairer.h"
#include "tests/bench/race/Problems.h"
#include "tests/bench/race/Radau5.h"
#include "tests/bench/race/Reference.h"
#include "tests/bench/race/Timing.h"

namespace driftless::bench {
namespace {

constexpr int kRounds = 11;

/// One side of a comparison.
struct Side {
    std::function<bool(double tolerance)> solve;
    std::function<const double*()> positions;
    long steps = 0, evaluations = 0; ///< of the last solution
};

/// Four problems that start as their models state it, with a known end.
bool isCompared(const Problem& problem) { return problem.changed.empty() && !problem.positions.empty(); }

/// What their methods are called here.
const char* nameThere(const std::string& method)
{
    if (method == "dormand-prince")
        return "DOPRI5";
    if (method == "radau")
        return "RADAU5";
    return method == "dop853" ? "DOP853" : "ODEX";
}

struct Measured {
    double tolerance = 0;
    std::array<double, 2> seconds{}, error{}; ///< ours, theirs; seconds: medians
    std::array<long, 2> steps{}, evaluations{};
    std::array<double, 3> ratio{}; ///< of the times: lower quartile, median, upper quartile
};

/// In turns, each as often as the shortest measurement asks for.
bool measure(std::array<Side, 2>& sides, std::size_t count, const Problem& problem, Measured& out)
{
    std::array<int, 2> times{1, 1};
    for (std::size_t s = 0; s < count; ++s) {
        for (int warm = 0; warm < 2; ++warm) {
            const double from = processorTime();
            if (!sides[s].solve(out.tolerance))
                return false;
            times[s] = std::max(1, static_cast<int>(kShortestMeasurement / (processorTime() - from)));
        }
        out.error[s] = errorOf(sides[s].positions(), problem.positions);
        out.steps[s] = sides[s].steps;
        out.evaluations[s] = sides[s].evaluations;
    }
    std::array<std::vector<double>, 2> seconds;
    std::vector<double> ratios;
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t s = 0; s < count; ++s) {
            const double from = processorTime();
            for (int k = 0; k < times[s]; ++k)
                sides[s].solve(out.tolerance);
            seconds[s].push_back((processorTime() - from) / times[s]);
        }
        if (count == 2)
            ratios.push_back(seconds[0].back() / seconds[1].back());
    }
    for (std::size_t s = 0; s < count; ++s)
        out.seconds[s] = quantile(seconds[s], 0.5);
    if (count == 2)
        out.ratio = {quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75)};
    return true;
}

/// The time at which a side reaches an accuracy, between the two tolerances around it on logarithmic scales; 0: not reached.
double timeTo(const std::vector<Measured>& points, std::size_t side, double accuracy)
{
    for (std::size_t k = 0; k < points.size(); ++k) {
        const double error = points[k].error[side];
        if (error > accuracy)
            continue;
        if (k == 0)
            return points[k].seconds[side];
        const double before = points[k - 1].error[side];
        const double x = std::log(before / accuracy) / std::log(before / error);
        return points[k - 1].seconds[side] * std::pow(points[k].seconds[side] / points[k - 1].seconds[side], x);
    }
    return 0;
}

std::string formatted(const char* format, double value)
{
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// "ours / theirs", or ours alone.
std::string both(const char* format, double ours, double theirs)
{
    return formatted(format, ours) + (theirs > 0 ? " / " + formatted(format, theirs) : "") + " | ";
}

class Comparison {
public:
    Comparison(const Problem& problem, const std::string& method, const std::string& form = "index-1")
        : problem_(problem), method_(form == "index-1" ? method : method + "` on `" + form),
          driven_(compiledModel(problem.model), form, method, {.step = 0})
    {
        sides_[0].solve = [this](double tolerance) { return solveHere(tolerance); };
        sides_[0].positions = [this] { return driven_.integrator->y().data(); };
        if (method == "radau") {
            radau5_ = std::make_unique<Radau5>(*driven_.instance, driven_.start);
            count_ = hasRadau5() ? 2 : 1;
            sides_[1].solve = [this](double tolerance) {
                const bool solved = radau5_->solve(problem_.end, tolerance);
                sides_[1].evaluations = radau5_->evaluations();
                sides_[1].steps = radau5_->steps();
                return solved;
            };
            sides_[1].positions = [this] { return radau5_->positions(); };
            return;
        }
        count_ = hasHairer() ? 2 : 1;
        there_ = std::make_unique<HairerOde>(*straightOde(problem.straight), nameThere(method));
        sides_[1].solve = [this](double tolerance) {
            const bool solved = there_->solve(problem_.end, tolerance);
            sides_[1].evaluations = there_->evaluations();
            sides_[1].steps = there_->steps();
            return solved;
        };
        sides_[1].positions = [this] { return there_->y(); };
    }

    void run()
    {
        for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
            Measured point;
            point.tolerance = tolerance;
            if (!measure(sides_, count_, problem_, point))
                continue; // one of both has not come to the end with it
            points_.push_back(point);
        }
    }

    std::string atTolerances()
    {
        std::string rows;
        for (const double tolerance : {1e-4, 1e-7, 1e-10})
            for (const Measured& p : points_) {
                if (p.tolerance != tolerance)
                    continue;
                rows += "| " + std::string(problem_.title) + " | `" + method_ + "` | " + formatted("%.0e", tolerance) + " | "
                        + both("%.0f", static_cast<double>(p.steps[0]), static_cast<double>(p.steps[1]))
                        + both("%.1e", p.error[0], p.error[1]);
                rows += both("%.0f", 1e9 * p.seconds[0] / static_cast<double>(p.evaluations[0]),
                             p.evaluations[1] ? 1e9 * p.seconds[1] / static_cast<double>(p.evaluations[1]) : 0);
                if (count_ == 2)
                    rows += formatted("%.2f", p.ratio[1]) + " (" + formatted("%.2f", p.ratio[0]) + " to "
                            + formatted("%.2f", p.ratio[2]) + ") ";
                rows += "|\n";
            }
        return rows;
    }

    /// Ratios of the times are added to `logarithms` for their mean.
    std::string toAccuracies(std::vector<double>& logarithms) const
    {
        std::string row = "| " + std::string(problem_.title) + " | `" + method_ + "` | ";
        for (const double accuracy : {1e-4, 1e-7, 1e-10}) {
            const double ours = timeTo(points_, 0, accuracy), theirs = count_ == 2 ? timeTo(points_, 1, accuracy) : 0;
            row += both("%.3g", 1e6 * ours, 1e6 * theirs);
            if (ours > 0 && theirs > 0)
                logarithms.push_back(std::log(ours / theirs));
            row += (ours > 0 && theirs > 0 ? formatted("%.2f", ours / theirs) : "") + " | ";
        }
        return row + "\n";
    }

private:
    bool solveHere(double tolerance)
    {
        integrate::IntegratorOptions options;
        options.step = 0;
        options.relativeTolerance = options.absoluteTolerance = tolerance;
        auto& method = *driven_.integrator;
        const auto before = method.statistics();
        if (!method.setOptions(options))
            return false;
        driven_.restart();
        while (method.t() < problem_.end)
            if (method.step(problem_.end).status != integrate::StepStatus::Accepted)
                return false;
        sides_[0].steps = static_cast<long>(method.statistics().steps - before.steps);
        sides_[0].evaluations = static_cast<long>(method.statistics().residualEvaluations - before.residualEvaluations);
        return true;
    }

    const Problem& problem_;
    std::string method_;
    Driven driven_;
    std::unique_ptr<HairerOde> there_;
    std::unique_ptr<Radau5> radau5_;
    std::array<Side, 2> sides_;
    std::size_t count_ = 1;
    std::vector<Measured> points_;
};

} // namespace

std::string sameMethod(const std::string& method)
{
    std::string tolerances =
        "| problem | method | tolerance | steps | error at the end | ns an evaluation | ratio of the times "
        "|\n|---|---|---|---|---|---|---|\n";
    std::string accuracies = "| problem | method | us to 1e-4 | ratio | us to 1e-7 | ratio | us to 1e-10 | ratio "
                             "|\n|---|---|---|---|---|---|---|---|\n";
    std::string means;
    for (const auto& [id, form] : std::vector<std::pair<const char*, const char*>>{{"dormand-prince", "index-1"},
                                                                                   {"dop853", "index-1"},
                                                                                   {"odex", "index-1"},
                                                                                   {"radau", "index-3"},
                                                                                   {"radau", "ggl"}}) {
        if (std::string(id).find(method) == std::string::npos)
            continue;
        std::vector<double> logarithms;
        for (const Problem& problem : problems()) {
            if (!isCompared(problem))
                continue;
            std::fprintf(stderr, "%s on %s, %s\n", id, form, problem.title);
            Comparison comparison(problem, id, form);
            comparison.run();
            tolerances += comparison.atTolerances();
            accuracies += comparison.toAccuracies(logarithms);
        }
        double sum = 0;
        for (const double value : logarithms)
            sum += value;
        if (!logarithms.empty())
            means += std::string(id) + " on " + form + " / " + nameThere(id) + ", time to accuracy, geometric mean: "
                     + formatted("%.2f", std::exp(sum / static_cast<double>(logarithms.size()))) + "\n";
    }
    return tolerances + "\n" + accuracies + "\n" + means;
}

} // namespace driftless::bench
