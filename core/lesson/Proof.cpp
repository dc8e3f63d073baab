#include "core/lesson/Proof.h"

#include <algorithm>
#include <atomic>

#include "core/study/Execute.h"
#include "core/text/Numbers.h"

namespace driftless::lesson {

namespace {

constexpr std::uint64_t kEveryRow = 10'000'000; // a measure over the rows sees each accepted step
constexpr double kShownAtOnce = 1;              // [s] where neither the bench nor the claim says how long

template <class Map>
std::vector<std::string> assignments(const Map& values)
{
    std::vector<std::string> out;
    for (const auto& [name, value] : values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            out.push_back(name + '=' + text::exact(value));
        else
            out.push_back(name + '=' + value);
    }
    return out;
}

run::RunRequest requestOf(const Setup& setup, const run::RunSettings& settings, double end)
{
    run::RunRequest out;
    out.model = setup.model;
    out.formulation = settings.formulation;
    out.integrator = settings.integrator;
    if (settings.options.step > 0)
        out.step = settings.options.step;
    out.relativeTolerance = settings.options.relativeTolerance;
    out.absoluteTolerance = settings.options.absoluteTolerance; // 0, too: the bench does not ask the model's file
    out.multiplierTolerance = settings.options.multiplierTolerance;
    const auto stated = [](auto value) { return value > 0 ? std::optional(value) : std::nullopt; };
    out.maxStep = stated(settings.options.maxStep);
    out.minStep = stated(settings.options.minStep);
    out.minNewtonIterations = stated(settings.options.minNewtonIterations);
    out.methodParameter = stated(settings.options.parameter);
    out.end = end;
    out.tolerances = assignments(settings.options.tolerances);
    out.set = assignments(setup.start.values);
    out.gains = assignments(settings.gains);
    out.choices = assignments(settings.choices);
    out.allowInconsistent = setup.start.allowInconsistent;
    if (!settings.pivot.automatic) {
        out.pivot = "";
        for (const std::string& name : settings.pivot.dummies)
            *out.pivot += (out.pivot->empty() ? "" : ",") + name;
    }
    return out;
}

double endOf(const StepClaim& claim, const Setup& setup)
{
    return claim.at.value_or(setup.until > 0 ? setup.until : kShownAtOnce);
}

/// Adds the runs of a claim's own and says which runs it is about.
std::vector<std::string> addRuns(study::Study& proof, const StepClaim& claim, std::size_t place)
{
    const std::string base = "run-" + std::to_string(claim.run);
    if (!claim.changes && claim.variations.empty() && claim.events.empty())
        return {base};
    const auto found = std::ranges::find(proof.runs, base, &study::PlannedRun::name);
    if (found == proof.runs.end())
        return {base}; // judged as an unknown run
    study::PlannedRun own = *found;
    own.name = own.family = own.label = "claim-" + std::to_string(place + 1);
    own.request = run::overlaid(own.request, claim.change);
    own.events = claim.events;
    own.position = claim.claim.position;
    if (claim.variations.empty()) {
        proof.runs.push_back(own);
        return {own.name};
    }
    for (const Variation& variation : claim.variations) {
        study::PlannedRun run = own;
        run.request = run::overlaid(run.request, variation.change);
        run.variables = variation.variables;
        for (const auto& [name, value] : variation.variables)
            run.name += '-' + name + '=' + text::exact(value);
        proof.runs.push_back(std::move(run));
    }
    return {own.name};
}

} // namespace

study::Study benchOf(const Lesson& lesson, std::size_t step, double end)
{
    const Setup& setup = lesson.setupOf(step);
    study::Study out;
    out.id = lesson.id + "-" + std::to_string(step + 1);
    out.path = lesson.path;
    out.record = kEveryRow;
    for (const run::RunSettings& settings : setup.runs) {
        study::PlannedRun run;
        run.name = run.family = run.label = "run-" + std::to_string(out.runs.size() + 1);
        run.request = requestOf(setup, settings, end);
        run.position = setup.position;
        out.runs.push_back(std::move(run));
    }
    return out;
}

std::vector<study::Study> proofsOf(const Lesson& lesson, std::size_t step)
{
    const Setup& setup = lesson.setupOf(step);
    const auto& claims = lesson.steps[step].claims;
    std::vector<double> ends;
    for (const StepClaim& claim : claims)
        if (std::ranges::find(ends, endOf(claim, setup)) == ends.end())
            ends.push_back(endOf(claim, setup));
    std::vector<study::Study> out;
    for (const double end : ends) {
        study::Study proof = benchOf(lesson, step, end);
        for (std::size_t i = 0; i < claims.size(); ++i)
            if (endOf(claims[i], setup) == end) {
                proof.claims.push_back(claims[i].claim);
                proof.claims.back().runs = addRuns(proof, claims[i], i);
            }
        out.push_back(std::move(proof));
    }
    return out;
}

std::vector<Diagnostic> reviewClaims(const Lesson& lesson)
{
    std::vector<Diagnostic> findings;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        std::vector<study::Study> proofs = proofsOf(lesson, step);
        if (proofs.empty() && lesson.steps[step].setup)
            proofs.push_back(benchOf(lesson, step, kShownAtOnce));
        for (const study::Study& proof : proofs) {
            const auto possible = study::Executor::create(proof, "review");
            if (possible)
                continue;
            Diagnostic finding = possible.error();
            finding.where = "step " + std::to_string(step + 1) + (finding.where.empty() ? "" : ", " + finding.where);
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

Result<std::vector<study::ClaimResult>> prove(const study::Study& proof)
{
    const auto executor = study::Executor::create(proof, "proof");
    if (!executor)
        return executor.error();
    const std::atomic<bool> cancel{false};
    std::vector<study::RunData> data;
    for (std::size_t i = 0; i < proof.runs.size(); ++i) {
        auto run = (*executor)->run(i, cancel);
        if (!run)
            return run.error();
        data.push_back(std::move(*run));
    }
    study::Finished finished{&proof, {}};
    for (const study::RunData& run : data)
        finished.runs.push_back(&run);
    auto results = study::judge(finished);
    results.erase(results.begin()); // how the runs end: a claim's own matter in a lesson, which may show what fails
    return results;
}

Result<std::vector<FalseClaim>> falseClaims(const Lesson& lesson, const std::function<void(double share)>& told)
{
    std::vector<FalseClaim> out;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        if (told)
            told(static_cast<double>(step) / static_cast<double>(lesson.steps.size()));
        for (const study::Study& proof : proofsOf(lesson, step)) {
            const auto results = prove(proof);
            if (!results)
                return results.error();
            for (std::size_t i = 0; i < results->size(); ++i)
                if (!(*results)[i].holds)
                    out.push_back({.step = step, .position = proof.claims[i].position, .result = (*results)[i]});
        }
    }
    return out;
}

Diagnostic findingOf(const FalseClaim& claim)
{
    const study::ClaimResult& r = claim.result;
    const std::string came = r.measured.empty() ? "it cannot be measured" : "it is " + r.measured;
    return {.what = "A claim does not hold: " + r.text,
            .where = "step " + std::to_string(claim.step + 1) + (r.run.empty() ? "" : ", " + r.run),
            .why = came + " and not " + r.relation + (r.why.empty() ? "" : ": " + r.why),
            .remedy = "another sentence, or a bench that shows it",
            .position = claim.position};
}

} // namespace driftless::lesson
