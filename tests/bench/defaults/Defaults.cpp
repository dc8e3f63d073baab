#include "tests/bench/defaults/Defaults.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"
#include "core/system/ShippedModels.h"
#include "core/text/Numbers.h"
#include "tests/bench/race/Timing.h"

namespace driftless::bench {

namespace {

constexpr double kTolerance = 1e-6, kReference = 1e-11;
constexpr double kPatience = 3; ///< times the fastest of a model so far: what is slower is not the best
constexpr double kLeast = 0.05; ///< [s] of processor time that every pair is given
constexpr double kMost = 20;    ///< [s] of one run
constexpr int kRounds = 5;      ///< of pairs that may be the best; the least counts
constexpr double kGood = 1e-4;  ///< error of what may be a default: a hundred times the tolerance,
constexpr double kAsGood = 10;  ///< or this times the least of all, where a motion is chaotic

const char* const kForms[] = {"dummy-derivatives", "index-1", "projection", "ggl", "index-3", "state-space"};
const char* const kMethods[] = {"dop853", "dormand-prince", "adams", "radau", "radau-9", "ida", "bdf"};

struct Pair {
    std::string form, method;
    double seconds = 0, error = 0;
    bool operator==(const Pair& other) const { return form == other.form && method == other.method; }
};

using System = std::shared_ptr<const model::CompiledSystem>;

/// What is compared: positions and velocities, or the values of equations.
std::vector<double> compared(const run::Run& run, const model::CompiledSystem& system)
{
    std::vector<double> out;
    const std::size_t n = static_cast<std::size_t>(system.n());
    std::size_t k = 0;
    for (const auto& [name, value] : run.namedState()) {
        const bool counts = n > 0 ? k < 2 * n : true;
        if (counts)
            out.push_back(value);
        ++k;
    }
    return out;
}

/// One run to its end; nullopt where it is refused, fails or takes too long.
std::optional<double> timed(const System& system, run::RunRequest request, double most, std::vector<double>& values)
{
    const double begin = processorTime();
    const auto prepared = run::prepareRun(system, request);
    if (!prepared)
        return std::nullopt;
    auto made = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!made)
        return std::nullopt;
    const double end = prepared->end;
    while (!(*made)->failed() && (*made)->t() < end && processorTime() - begin < most)
        (*made)->step(end);
    const double seconds = processorTime() - begin;
    if ((*made)->failed() ? (*made)->events().empty() || (*made)->events().back().kind() != run::EventKind::Finished
                          : (*made)->t() < end)
        return std::nullopt;
    values = compared(**made, *system);
    return seconds;
}

double errorOf(const std::vector<double>& values, const std::vector<double>& reference)
{
    double worst = values.size() == reference.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(values.size(), reference.size()); ++i)
        worst = std::max(worst, std::abs(values[i] - reference[i]) / (1 + std::abs(reference[i])));
    return worst;
}

run::RunRequest requestOf(const std::string& id, const Pair& pair, double tolerance)
{
    run::RunRequest request;
    request.model = id;
    request.formulation = pair.form;
    request.integrator = pair.method;
    request.relativeTolerance = request.absoluteTolerance = tolerance;
    return request;
}

std::vector<double> referenceOf(const System& system, const std::string& id)
{
    std::vector<double> out;
    for (const Pair& pair : {Pair{"dummy-derivatives", "radau-9"}, Pair{"dummy-derivatives", "radau-13"},
                             Pair{"index-1", "dop853"}, Pair{"dummy-derivatives", "dop853"}, Pair{"dummy-derivatives", "ida"}})
        if (timed(system, requestOf(id, pair, kReference), kMost, out))
            return out;
    return {};
}

/// All pairs that reach the end; those that may be the fastest are timed in turns.
std::vector<Pair> measured(const System& system, const std::string& id, const std::vector<Pair>& pairs,
                           const std::vector<double>& reference)
{
    std::vector<Pair> out;
    double fastest = kMost / kPatience;
    std::vector<double> values;
    for (Pair pair : pairs) {
        const double most = std::max(kLeast, kPatience * fastest);
        const auto seconds =
            timed(system, requestOf(id, pair, kTolerance), pair == pairs[0] || pair == pairs[1] ? kMost : most, values);
        if (!seconds)
            continue;
        pair.seconds = *seconds;
        pair.error = errorOf(values, reference);
        if (pair.error <= kGood)
            fastest = std::min(fastest, pair.seconds);
        out.push_back(std::move(pair));
    }
    for (int round = 1; round < kRounds; ++round)
        for (Pair& pair : out)
            if (pair.seconds <= kPatience * fastest || pair == pairs[0] || pair == pairs[1])
                if (const auto seconds = timed(system, requestOf(id, pair, kTolerance), kMost, values))
                    pair.seconds = std::min(pair.seconds, *seconds);
    return out;
}

/// form,method,ms,error
std::string costs(const Pair& pair)
{
    char text[128];
    std::snprintf(text, sizeof text, "%s,%s,%.4g,%.1e", pair.form.c_str(), pair.method.c_str(), 1e3 * pair.seconds, pair.error);
    return text;
}

/// Nothing, and a line on the standard error, of a model that there is no time for.
std::string ofModel(const std::string& id, bool all)
{
    const auto opened = run::openSystem(id);
    if (!opened) {
        std::fprintf(stderr, "%s: %s\n", id.c_str(), opened.error().text().c_str());
        return {};
    }
    const System& system = *opened;
    const model::RunDefaults& stated = system->model().run;
    const std::vector<double> reference = referenceOf(system, id);
    const model::MethodPair taken = stated.command.value_or(model::MethodPair{stated.formulation, stated.integrator});
    const Pair window{stated.formulation, stated.integrator}, command{taken.formulation, taken.integrator};
    std::vector<Pair> pairs{window};
    if (!(command == window))
        pairs.push_back(command);
    for (const char* form : kForms)
        for (const char* method : kMethods)
            if (const Pair pair{form, method}; std::ranges::find(pairs, pair) == pairs.end())
                pairs.push_back(pair);
    std::vector<Pair> done = measured(system, id, pairs, reference);
    const auto ofCommand = std::ranges::find(done, command);
    if (done.empty() || !(done.front() == window) || ofCommand == done.end()) {
        std::fprintf(stderr, "%s: the default does not reach the end\n", id.c_str());
        return {};
    }
    const std::string head = id + ',' + text::rounded(stated.end) + ',';
    if (all) {
        std::string out;
        for (const Pair& pair : done)
            out += head + costs(pair) + '\n';
        return out;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const Pair& pair : done)
        least = std::min(least, pair.error);
    const double allowed = std::max({kGood, kAsGood * least, ofCommand->error});
    const Pair asked = *ofCommand;
    const std::string both = head + costs(done.front()) + ',' + costs(asked) + ',';
    std::erase_if(done, [&](const Pair& pair) { return !(pair.error <= allowed); });
    const Pair& best = *std::ranges::min_element(done, {}, &Pair::seconds);
    return both + costs(best) + ',' + text::rounded(asked.seconds / best.seconds, 3) + '\n';
}

} // namespace

std::string defaultsTable(const std::string& part, bool all)
{
    std::string out = all ? "model,end,form,method,ms,error\n"
                          : "model,end,form,method,ms,error,command form,command method,command ms,command error,"
                            "best form,best method,best ms,best error,command by best\n";
    for (const std::string& id : model::shippedModelNames())
        if (part.empty() || id.find(part) != std::string::npos) {
            const std::string lines = ofModel(id, all);
            std::fputs(lines.c_str(), stderr); // as it goes on
            out += lines;
        }
    return out;
}

} // namespace driftless::bench
