// Texts of measures, taken of two runs: a measure means the same within another one, and the run that it is taken of by name.
#include <bit>

#include "core/study/Measure.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

study::RunData runNamed(const char* name, double phase)
{
    study::RunData out;
    out.name = name;
    run::RunReport& report = out.report;
    report.status = "completed";
    report.began = true;
    report.t = 2;
    report.energyError = 1e-9;
    report.statistics.steps = 40;
    report.statistics.rejected = 3;
    report.state = {{"bob.x", 0.5}, {"bob.y", NAN}};
    report.parameters = {{"L", 1.0}, {"g", 9.81}};
    report.tolerance = 1e-6;
    report.drift.position = "linear";
    report.maxResidual.position = 1e-12;
    report.maxResidual.velocity = 1e-10;
    report.events = {{.t = 0, .kind = "start", .text = "a"}, {.t = 1.25, .kind = "pivot", .text = "b"}};
    out.columns = {{"bob.x", "m", run::ColumnKind::Position},        {"bob.y", "m", run::ColumnKind::Position},
                   {"bob.x'", "m/s", run::ColumnKind::Velocity},     {"bob.y'", "m/s", run::ColumnKind::Velocity},
                   {"rod.lambda", "N", run::ColumnKind::Multiplier}, {"energy", "J", run::ColumnKind::Energy}};
    out.positions = 2;
    for (int k = 0; k <= 20; ++k) {
        const double t = 0.1 * k + (k % 3 == 1 ? 0.01 * phase : 0);
        for (const double v :
             {t, std::sin(t + phase), -std::cos(t), std::cos(t + phase), std::sin(t), k % 5 == 4 ? NAN : 2.0, 1 + 1e-9 * t * t})
            out.values.push_back(v);
    }
    return out;
}

struct Bench {
    study::Study study;
    study::RunData a = runNamed("a", 0), b = runNamed("b", 0.5);
    study::Finished finished;
    Bench()
    {
        for (const char* name : {"a", "b", "missing"}) {
            study::PlannedRun run;
            run.name = name;
            run.family = "family";
            run.variables = {{"step", name[0] == 'a' ? 0.1 : 0.05}};
            study.runs.push_back(run);
        }
        finished.study = &study;
        finished.runs = {&a, &b, nullptr};
    }
};

bool same(const Result<study::Value>& a, const Result<study::Value>& b)
{
    if (a.ok() != b.ok() || !a)
        return a.ok() == b.ok();
    const auto *x = std::get_if<double>(&*a), *y = std::get_if<double>(&*b);
    if (x && y)
        return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y) || (std::isnan(*x) && std::isnan(*y));
    return *a == *b;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Bench bench;
    const std::string text(textOf(data, size));
    const auto take = [&](std::size_t run, const std::string& of) {
        return study::measure(bench.finished, run, {of, {"input", 1, 1}});
    };
    const auto a = take(0, text), b = take(1, text);
    check(!take(2, text).ok(), "a run that is missing has no measure", text);
    if (!a) {
        check(!a.error().what.empty(), "a refusal says what is wrong", text);
        return 0;
    }
    (void)measure::shown(*a);
    check(same(take(1, "of(a, " + text + ")"), a) || !take(1, "of(a, " + text + ")").ok(),
          "a measure of a run by name is that of the run", text);
    if (const auto* number = std::get_if<double>(&*a); number && std::isfinite(*number) && *number != 0) {
        const auto one = take(0, "ratio(" + text + ", " + text + ")");
        check(!one.ok() || std::get<double>(*one) == 1, "the ratio of a measure to itself is one", text);
    }
    (void)b;
    return 0;
}
