// Pairs of a formulation and a method on drawn mechanisms, looked at between their rows.
//
// Each pair moves as one tight run of another pair does, which stops at the times that are looked at, and says the same of
// positions, velocities and multipliers there: between rows by the method's own polynomial, solved for the rest.
#pragma once

#include <QtTest>

#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/integrate/Integrator.h"
#include "core/run/RunJson.h"
#include "tests/properties/MechanismOracle.h"

namespace driftless::test {

struct PairTally {
    int judged = 0, skipped = 0, large = 0; ///< large: systems of more than 48 unknowns
    int runs = 0, projected = 0;            ///< projected: runs of Radau methods with a projection
    long compared = 0;                      ///< numbers
    int amongShortSteps = 0;                ///< multipliers of ida on index 3 that have no right digit
    std::map<std::string, int> ran, refused, stopped;
    double worst = 0, worstUntested = 0;
    std::string worstAt, worstUntestedAt;

    std::string told() const
    {
        std::ostringstream out;
        int refusals = 0, stops = 0;
        for (const auto& [pair, times] : refused)
            refusals += times;
        for (const auto& [pair, times] : stopped)
            stops += times;
        out << judged << " judged, " << skipped << " skipped, " << large << " large; " << ran.size() << " pairs, " << runs
            << " runs, " << compared << " numbers, " << amongShortSteps << " among short steps, " << refusals << " refused, "
            << stops << " stopped; states differ by " << worst << " (" << worstAt << "), what is not tested by "
            << worstUntested << " (" << worstUntestedAt << ")";
        return out.str();
    }
};

inline constexpr double kPairTolerance = 1e-8;
/// Single steps leave a tolerance, loops and long chains multiply it by ten to a hundred, and so does what lies between steps.
/// The most of 1,000 mechanisms was 1e-5; the cubic through the ends of a long step was off by 8e-5.
inline constexpr double kPairError = 3e3 * kPairTolerance;
/// Multipliers, and of index 3 the velocities, are in no error test. The most of 500 mechanisms was 0.3 %; a line through the
/// ends of a long step was off by a tenth.
inline constexpr double kUntestedError = 0.01;

using NamedValues = std::map<std::string, double>;

inline run::RunSettings pairSettings(const std::string& form, const std::string& method, double tolerance)
{
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = tolerance;
    settings.options.step = 0;
    return settings;
}

/// What the reference says at these times; it stops at each of them. Empty where it does not come to the end.
inline std::vector<NamedValues> referenceAt(const std::shared_ptr<const model::CompiledSystem>& system,
                                            std::span<const double> times)
{
    std::vector<NamedValues> out;
    auto run = run::Run::create(system, {}, pairSettings("ggl", "radau-13", 1e-11));
    for (const double t : times) {
        if (!run || (t > 0 && !(*run)->advanceTo(t)))
            return {};
        NamedValues& values = out.emplace_back();
        for (const auto& [name, value] : (*run)->namedState())
            values[name] = value;
    }
    return out;
}

/// What differs between the samples of a run and the reference; an empty text where it is little.
inline std::string judgeSamples(const DrawnMechanism& drawn, const nlohmann::json& samples,
                                const std::vector<NamedValues>& reference, bool multipliers, const std::string& pair,
                                PairTally& tally)
{
    if (samples.size() != reference.size())
        return pair + ": " + std::to_string(samples.size()) + " samples";
    const auto& coordinates = drawn.coordinates();
    const auto isState = [&](std::string name) {
        if (name.ends_with('\''))
            name.pop_back();
        return std::ranges::find(coordinates, name) != coordinates.end();
    };
    double size = 1, force = 1;
    for (const NamedValues& values : reference)
        for (const auto& [name, value] : values)
            (isState(name) ? size : force) = std::max(isState(name) ? size : force, std::abs(value));
    for (std::size_t k = 0; k < reference.size(); ++k)
        for (const auto& [name, value] : reference[k]) {
            const bool state = isState(name);
            const auto found = samples[k].find(name);
            if (!state && (!multipliers || found == samples[k].end()))
                continue;
            if (found == samples[k].end())
                return pair + " says nothing of " + name;
            ++tally.compared;
            const bool tested = state && !(name.ends_with('\'') && pair.starts_with("index-3/"));
            const double said = found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
            const double error = std::abs(said - value) / (state ? size : force);
            // A BDF of index 3 has a tolerance over h^2 as error of the multipliers, for some steps after each change of order
            // or step. ida starts with short steps: a few samples fall there, and no digit of a multiplier is right.
            if (!state && pair == "index-3/ida" && std::isfinite(error) && error > kUntestedError) {
                ++tally.amongShortSteps;
                continue;
            }
            const std::string where =
                pair + ", " + name + " of sample " + std::to_string(k) + ", " + std::to_string(drawn.shape().seed);
            double& worst = tested ? tally.worst : tally.worstUntested;
            if (error > worst) {
                worst = error;
                (tested ? tally.worstAt : tally.worstUntestedAt) = where;
            }
            if (!(error <= (tested ? kPairError : kUntestedError)))
                return pair + " says " + std::to_string(said) + " and not " + std::to_string(value) + " for " + where;
        }
    return {};
}

inline std::string judgePair(const DrawnMechanism& drawn, const std::shared_ptr<const model::CompiledSystem>& system,
                             const std::vector<NamedValues>& reference, double end, bool multipliers, const std::string& form,
                             const std::string& method, int rank, PairTally& tally)
{
    const std::string pair = form + "/" + method;
    auto run = run::Run::create(system, {}, pairSettings(form, method, kPairTolerance));
    if (!run) {
        ++tally.refused[pair];
        return run.error().what.empty() || run.error().why.empty() ? pair + " refuses without a reason" : "";
    }
    const int count = static_cast<int>(reference.size());
    (*run)->sampleAt(run::sampleTimes((*run)->t(), end, count));
    if (!(*run)->advanceTo(end)) {
        ++tally.stopped[pair];
        return judgeStop(drawn, **run, pair, rank);
    }
    ++tally.ran[pair];
    ++tally.runs;
    tally.projected += pair.starts_with("projection/radau");
    return judgeSamples(drawn, run::toJson(**run, count).at("samples"), reference, multipliers, pair, tally);
}

inline std::string judgePairs(const MechanismShape& shape, PairTally& tally)
{
    const DrawnMechanism drawn(shape);
    const auto ranks = drawn.ranks(drawn.start());
    const auto model = model::readModel(drawn.text(), "drawn.toml");
    const auto system = model ? model::CompiledSystem::compile(*model) : model.error();
    if (!ranks || !system || ranks->velocities == drawn.n() || drawn.contradicts()) {
        ++tally.skipped; // test_mechanisms judges these
        return {};
    }
    Draw draw(shape.seed ^ 0x9au);
    const double end = draw.between(0.1, kMechanismEnd);
    const std::vector<double> times = run::sampleTimes(0, end, draw.upTo(2, 9));
    const std::vector<NamedValues> reference = referenceAt(*system, times);
    if (reference.empty()) {
        ++tally.skipped;
        return {};
    }
    ++tally.judged;
    tally.large += 2 * drawn.n() + drawn.rows() > 48;
    const bool unique = ranks->places == drawn.rows() && ranks->velocities == ranks->places + drawn.velocityRows();
    std::vector<std::string> forms, methods;
    for (const auto& form : formulation::formulations())
        if (!givesWay(form->info().id) && !mayStopAtRest(form->info().id))
            forms.push_back(form->info().id);
    for (const auto& method : integrate::integratorCatalogue())
        if (method.adaptive)
            methods.push_back(method.id);
    std::vector<std::pair<std::string, std::string>> pairs{
        {"index-1", "dop853"}, {"projection", "dormand-prince"}, {"projection", "radau-9"}};
    for (int k = 0; k < 4; ++k)
        pairs.emplace_back(draw.among(forms), draw.among(methods));
    for (const auto& [form, method] : pairs)
        if (const std::string fault = judgePair(drawn, *system, reference, end, unique, form, method, ranks->velocities, tally);
            !fault.empty())
            return fault;
    return {};
}

/// As drawMechanism, every third one with more bodies: systems of more than 48 unknowns are eliminated in a way of their own.
inline MechanismShape drawForPairs(std::uint64_t seed)
{
    MechanismShape shape = drawMechanism(seed);
    Draw draw(seed ^ 0x3cu);
    if (draw.chance(0.33))
        shape.bodies += draw.upTo(3, 8);
    return shape;
}

/// From `seed` and over `count` mechanisms, unless the environment says otherwise.
inline void walkPairs(std::uint64_t seed, int count)
{
    seed = seedOr(seed);
    count = countOr(count);
    qInfo("DRIFTLESS_SEED=%llu, %d mechanisms", static_cast<unsigned long long>(seed), count);
    PairTally tally, apart;
    int wrong = 0;
    for (int k = 0; k < count; ++k) {
        const MechanismShape shape = drawForPairs(seed + static_cast<std::uint64_t>(k));
        const std::string fault = judgePairs(shape, tally);
        if (fault.empty())
            continue;
        ++wrong;
        const MechanismShape least = shrunk(
            shape, smallerMechanisms, [&](const MechanismShape& s) { return !judgePairs(s, apart).empty(); }, 10);
        const std::string text = shape.told() + "\n" + fault + "\nsmallest: " + least.told() + "\n" + judgePairs(least, apart)
                                 + "\n" + DrawnMechanism(least).text() + "\n";
        std::fputs(text.c_str(), stderr); // longer than a message may be
    }
    qInfo("%s", tally.told().c_str());
    QVERIFY2(wrong == 0, qPrintable(QString("%1 of %2, see above").arg(wrong).arg(count)));
    QVERIFY(tally.judged > count / 2);
    QVERIFY(tally.runs > 3 * tally.judged && tally.projected > tally.judged / 2 && tally.compared > 10 * tally.runs);
    QVERIFY(count < 20 || tally.large > count / 10);
    QVERIFY(tally.amongShortSteps <= 10 + count / 20); // a thousand mechanisms had five
}

} // namespace driftless::test
