// Every contestant solves a problem at all of its tolerances (or steps). A first run of each is judged after every step: the
// error of positions and velocities over the whole interval, and the drift. Then all points are timed in turns, a round after
// the other. The time to an accuracy lies between two points on logarithmic scales.
#include "tests/bench/race/Race.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>

#include <nlohmann/json.hpp>

#include "tests/bench/Drive.h"
#include "tests/bench/race/Contestant.h"
#include "tests/bench/race/Timing.h"

namespace driftless::bench {
namespace {

constexpr int kRounds = 9;
constexpr double kAccurateEnough = 3e-11; ///< tighter tolerances only take longer
constexpr double kTooLong = 0.1;          ///< [s] for one solution: nobody who takes as long is the fastest
constexpr int kMostFailures = 3;          ///< in a row; a code that fails at one tolerance may come to the end at the next
constexpr std::array kAccuracies{1e-4, 1e-7, 1e-10};
constexpr double kLoss = 1.1; ///< ratios above it are listed

struct Point {
    double setting = 0;
    Errors errors;
    long steps = 0;
    int repeats = 1;             ///< in one measurement
    std::vector<double> seconds; ///< of each round
};

/// The points of one contestant.
struct Result {
    std::unique_ptr<Contestant> who;
    std::vector<Point> points;

    /// The first point that is as accurate, and so is each contestant's; none: not reached.
    const Point* pointFor(double accuracy) const
    {
        for (const Point& p : points)
            if (p.errors.overall() <= accuracy)
                return &p;
        return nullptr;
    }

    /// In a round, or in the median over the rounds; 0: not reached.
    double timeTo(double accuracy, std::optional<std::size_t> round = {}) const
    {
        const auto secondsOf = [&](const Point& p) { return round ? p.seconds[*round] : quantile(p.seconds, 0.5); };
        const Point* const at = pointFor(accuracy);
        if (!at || at == points.data())
            return at ? secondsOf(*at) : 0;
        const Point& before = *(at - 1);
        const double x =
            std::log(before.errors.overall() / accuracy) / std::log(before.errors.overall() / at->errors.overall());
        return secondsOf(before) * std::pow(secondsOf(*at) / secondsOf(before), x);
    }
};

void judgePoints(Result& result, Judge& judge)
{
    int failures = 0;
    for (const double setting : result.who->settings()) {
        judge.begin();
        const double from = processorTime();
        const bool solved = result.who->solve(setting, &judge);
        const double judged = processorTime() - from;
        if (!solved) {
            if (++failures == kMostFailures || judged > kTooLong)
                break;
            continue;
        }
        failures = 0;
        const double start = processorTime();
        result.who->solve(setting, nullptr);
        const double once = processorTime() - start;
        if (once > kTooLong)
            break;
        Point point;
        point.setting = setting;
        point.errors = judge.errors();
        point.steps = result.who->steps();
        point.repeats = std::max(1, static_cast<int>(std::ceil(kShortestMeasurement / std::max(once, 1e-7))));
        result.points.push_back(std::move(point));
        if (judge.errors().overall() < kAccurateEnough)
            break;
    }
}

/// In turns: a round measures every point of everybody once.
void timePoints(std::vector<Result>& results)
{
    for (int round = 0; round < kRounds; ++round)
        for (Result& result : results)
            for (Point& point : result.points) {
                const double from = processorTime();
                for (int k = 0; k < point.repeats; ++k)
                    result.who->solve(point.setting, nullptr);
                point.seconds.push_back((processorTime() - from) / point.repeats);
            }
}

const Result* fastest(const std::vector<Result>& results, bool ours, double accuracy)
{
    const Result* best = nullptr;
    double least = HUGE_VAL;
    for (const Result& result : results)
        if (const double seconds = result.who->isOurs() == ours ? result.timeTo(accuracy) : 0; seconds > 0 && seconds < least) {
            least = seconds;
            best = &result;
        }
    return best;
}

std::string formatted(const char* format, double value)
{
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// The table of who is first, and what it comes to.
struct Summary {
    std::string rows, losses;
    std::vector<double> logarithms; ///< of the ratios
    double highestLowerQuartile = 0;

    void add(const Problem& problem, const std::vector<Result>& results)
    {
        for (const double accuracy : kAccuracies) {
            const Result *ours = fastest(results, true, accuracy), *theirs = fastest(results, false, accuracy);
            rows += "| " + std::string(problem.title) + " | " + formatted("%.0e", accuracy);
            for (const Result* side : {ours, theirs})
                rows += " | "
                        + (side ? side->who->name() + " | " + formatted("%.3g", 1e6 * side->timeTo(accuracy))
                                : std::string("not reached | "));
            rows += " | ";
            if (ours && theirs) {
                std::vector<double> ratios;
                for (std::size_t round = 0; round < kRounds; ++round)
                    ratios.push_back(ours->timeTo(accuracy, round) / theirs->timeTo(accuracy, round));
                const std::string ratio = formatted("%.2f", quantile(ratios, 0.5)) + " ("
                                          + formatted("%.2f", quantile(ratios, 0.25)) + " to "
                                          + formatted("%.2f", quantile(ratios, 0.75)) + ")";
                rows += ratio;
                logarithms.push_back(std::log(quantile(ratios, 0.5)));
                highestLowerQuartile = std::max(highestLowerQuartile, quantile(ratios, 0.25));
                if (quantile(ratios, 0.5) > kLoss)
                    losses += "- " + std::string(problem.title) + " at " + formatted("%.0e", accuracy) + ": " + ratio + ", "
                              + ours->who->name() + " beside " + theirs->who->name() + "\n";
            }
            rows += " |\n";
        }
    }

    std::string page() const
    {
        double sum = 0;
        for (const double value : logarithms)
            sum += value;
        return "| problem | accuracy | best of ours | us | best of the others | us | ratio |\n|---|---|---|---|---|---|---|\n"
               + rows + "\nGeometric mean of the ratios: "
               + formatted("%.2f", logarithms.empty() ? 0 : std::exp(sum / static_cast<double>(logarithms.size())))
               + "; highest lower quartile: " + formatted("%.2f", highestLowerQuartile) + "\n\nAbove "
               + formatted("%.1f", kLoss) + ":\n\n" + (losses.empty() ? "nothing\n" : losses);
    }
};

/// Everybody's times and steps to the accuracies, and the drift at the one in the middle.
std::string tableOf(const Problem& problem, const Reference& reference, const std::vector<Result>& results)
{
    std::string page = "\n" + std::string(problem.title) + ", us and in brackets steps";
    if (!problem.positions.empty())
        page += " (the reference is " + formatted("%.0e", reference.errorAtEnd()) + " from the known end)";
    page += ":\n\n| | 1e-4 | 1e-7 | 1e-10 | drift at 1e-7 | of velocities |\n|---|---|---|---|---|---|\n";
    for (const Result& result : results) {
        page += "| " + std::string(result.who->isOurs() ? "**" + result.who->name() + "**" : result.who->name());
        for (const double accuracy : kAccuracies) {
            const Point* const at = result.pointFor(accuracy);
            page += " | "
                    + (at ? formatted("%.3g", 1e6 * result.timeTo(accuracy)) + " (" + std::to_string(at->steps) + ")"
                          : std::string());
        }
        const Point* const middle = result.pointFor(kAccuracies[1]);
        page += " | " + (middle ? formatted("%.0e", middle->errors.drift) : "") + " | "
                + (middle ? formatted("%.0e", middle->errors.velocityDrift) : "") + " |\n";
    }
    return page;
}

void addPoints(const Problem& problem, const std::vector<Result>& results, nlohmann::ordered_json& to)
{
    for (const Result& result : results)
        for (const Point& point : result.points)
            to.push_back({{"problem", problem.title},
                          {"who", result.who->name()},
                          {"ours", result.who->isOurs()},
                          {"setting", point.setting},
                          {"steps", point.steps},
                          {"position", point.errors.position},
                          {"velocity", point.errors.velocity},
                          {"end", point.errors.atEnd},
                          {"drift", point.errors.drift},
                          {"velocity drift", point.errors.velocityDrift},
                          {"seconds", quantile(point.seconds, 0.5)},
                          {"lower quartile", quantile(point.seconds, 0.25)},
                          {"upper quartile", quantile(point.seconds, 0.75)}});
}

} // namespace

std::string race(const std::string& part, std::string& json)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    Summary summary;
    std::string tables;
    for (const Problem& problem : problems()) {
        if (std::string(problem.title).find(part) == std::string::npos)
            continue;
        std::fprintf(stderr, "%s\n", problem.title);
        const System system = compiledModel(problem.model);
        const Reference reference(problem, system);
        Judge judge(problem, reference, system);
        Contestants contestants;
        addSundials(problem, contestants);
        addHairer(problem, system, contestants);
        addOurs(problem, system, contestants);
        std::vector<Result> results;
        for (auto& contestant : contestants) {
            results.push_back({std::move(contestant), {}});
            judgePoints(results.back(), judge);
        }
        timePoints(results);
        summary.add(problem, results);
        tables += tableOf(problem, reference, results);
        addPoints(problem, results, all);
    }
    json = all.dump(1) + "\n";
    return summary.page() + tables;
}

} // namespace driftless::bench
