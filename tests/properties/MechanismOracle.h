// What must hold of a drawn mechanism and of all its runs; an empty text where all is right.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "core/consistency/Doctor.h"
#include "core/formulation/Formulation.h"
#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "tests/properties/DrawnMechanism.h"

namespace driftless::test {

struct MechanismTally {
    int judged = 0, unclear = 0, rigid = 0, redundant = 0, driven = 0, contradictory = 0, dependent = 0;
    std::map<std::string, int> joints;
    std::map<std::string, int> ran, refused, stopped;
    double worst = 0, worstEnergy = 0; ///< difference of a position [m], and of an energy against its size

    std::string told() const
    {
        std::ostringstream out;
        out << judged << " judged, " << unclear << " with unclear ranks, " << rigid << " rigid, " << redundant
            << " with redundant rows, " << dependent << " with dependent rows for velocities, " << driven << " driven, "
            << contradictory << " driven against other joints;";
        for (const auto& [kind, times] : joints)
            out << ' ' << kind << ' ' << times;
        out << ';';
        for (const auto& [form, times] : ran)
            out << ' ' << form << ' ' << times;
        for (const auto& [form, times] : refused)
            out << "; " << form << " refused " << times;
        for (const auto& [form, times] : stopped)
            out << "; " << form << " stopped " << times;
        out << "; positions differ by " << worst << ", energies by " << worstEnergy;
        return out.str();
    }
};

inline constexpr double kMechanismEnd = 0.3; ///< [s] half a swing of a metre's length
inline constexpr double kMechanismTolerance = 1e-9;
/// Errors of single steps add up, and a mechanism near a singular place multiplies them: a thousand tolerances, and ten where
/// loops are closed.
inline constexpr double kMechanismError = 1e4 * kMechanismTolerance;
/// What differences of rows and starts written in 17 digits leave of a consistent start.
inline constexpr double kStartError = 1e-8;

struct EndState {
    Eigen::VectorXd q, v;
};
inline EndState endOf(const DrawnMechanism& drawn, const run::Run& run)
{
    std::map<std::string, double> state;
    for (const auto& [name, value] : run.namedState())
        state[name] = value;
    EndState out{Eigen::VectorXd(drawn.n()), Eigen::VectorXd(drawn.n())};
    for (int i = 0; i < drawn.n(); ++i) {
        const std::string& name = drawn.coordinates()[static_cast<std::size_t>(i)];
        const auto q = state.find(name), v = state.find(name + "'");
        out.q[i] = q == state.end() ? NAN : q->second;
        out.v[i] = v == state.end() ? NAN : v->second;
    }
    return out;
}

/// Rolling in a place that its body cannot leave: it follows from the rows for places.
inline int velocityRowsAside(const model::ConstrainedSystem& system)
{
    return static_cast<int>(
        std::ranges::count_if(system.dependent, [](const model::Dependent& d) { return !d.constraint.holonomic; }));
}

/// Rows, ranks and degrees of freedom against those of the differences.
inline std::string judgeCounts(const DrawnMechanism& drawn, const std::shared_ptr<const model::CompiledSystem>& system,
                               const DrawnMechanism::Ranks& ranks)
{
    const model::ConstrainedSystem& s = system->system();
    const int kept = s.m(), aside = static_cast<int>(s.dependent.size()), velocitiesAside = velocityRowsAside(s);
    const auto say = [&](const std::string& what, int said, int truth) {
        return what + ": " + std::to_string(said) + " and not " + std::to_string(truth);
    };
    if (s.n() != drawn.n())
        return say("number of coordinates", s.n(), drawn.n());
    const int rows = drawn.rows() + drawn.velocityRows();
    if (kept + aside != rows || s.holonomic() + aside - velocitiesAside != drawn.rows())
        return say("number of rows", kept + aside, rows);
    if (aside - velocitiesAside != drawn.rows() - ranks.places)
        return say("redundant rows", aside - velocitiesAside, drawn.rows() - ranks.places);
    if (const int most = drawn.velocityRows() - (ranks.velocities - ranks.places); velocitiesAside > most)
        return say("redundant rows on velocities", velocitiesAside, most);
    model::SystemEvaluator evaluator(system);
    evaluator.setParameters(system->defaultParameters());
    const auto request = run::startRequest({}, evaluator);
    if (!request)
        return "no start: " + request.error().text();
    const consistency::Diagnosis found = consistency::diagnose(system, system->defaultParameters(), *request);
    if (found.positionFreedom != drawn.n() - ranks.places)
        return say("freedom of places", found.positionFreedom, drawn.n() - ranks.places);
    if (found.velocityFreedom != drawn.n() - ranks.velocities)
        return say("degrees of freedom", found.velocityFreedom, drawn.n() - ranks.velocities);
    return {};
}

inline std::string judgeMechanismRun(const DrawnMechanism& drawn, const run::Run& run, const std::string& form,
                                     const EndState& begin, std::optional<EndState>& agreed, MechanismTally& tally)
{
    const EndState end = endOf(drawn, run);
    if (!end.q.allFinite() || !end.v.allFinite())
        return form + " ends with numbers that are none";
    const double residual = drawn.residual(end.q, kMechanismEnd), slip = drawn.slip(end.q, end.v);
    if (!(residual <= kMechanismError))
        return form + " leaves rows open by " + std::to_string(residual * 1e9) + "e-9";
    if (!(slip <= kMechanismError))
        return form + " lets a contact slip by " + std::to_string(slip * 1e9) + "e-9";
    const double before = drawn.energy(begin.q, begin.v), after = drawn.energy(end.q, end.v), size = 1 + std::abs(before);
    const double change = drawn.driven() ? 0 : std::abs(after - before); // a drive does work
    tally.worstEnergy = std::max(tally.worstEnergy, change / size);
    if (!(change <= kMechanismError * size))
        return form + " changes the energy from " + std::to_string(before) + " to " + std::to_string(after);
    if (std::abs(run.status().energyError) > 10 * kMechanismError * size)
        return form + " claims an energy error of " + std::to_string(run.status().energyError);
    if (!agreed) {
        agreed = end;
        return {};
    }
    const double difference = (end.q - agreed->q).cwiseAbs().maxCoeff();
    tally.worst = std::max(tally.worst, difference);
    return difference <= kMechanismError
               ? ""
               : form + " differs by " + std::to_string(difference * 1e9) + "e-9 from the forms before it";
}

/// Their rows lose rank at rest and wherever the motion does not turn the constraints; a run stops there and says so.
inline bool mayStopAtRest(const std::string& form) { return form == "odae-ssf" || form == "extended-3.16"; }

/// Springs and dampers in place of constraints give slightly; they are asked to run, not to agree.
inline bool givesWay(const std::string& form) { return form == "penalty" || form == "augmented-lagrangian"; }

inline const std::vector<std::string> kAlwaysTried{"index-2", "dummy-derivatives"};

inline run::RunSettings mechanismSettings(const std::string& form)
{
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = "radau";
    settings.options.relativeTolerance = settings.options.absoluteTolerance = kMechanismTolerance;
    settings.options.step = 0;
    return settings;
}

/// A drive that asks for what other joints forbid is refused with a reason.
inline std::string judgeContradiction(const std::shared_ptr<const model::CompiledSystem>& system)
{
    for (const std::string& form : kAlwaysTried) {
        const auto run = run::Run::create(system, {}, mechanismSettings(form));
        if (run)
            return form + " runs against a contradiction";
        if (run.error().what.empty() || run.error().why.empty())
            return form + " refuses without a reason";
    }
    return {};
}

/// dependent: rows for velocities follow from others, and none of them is set aside: a true reason to refuse.
inline std::string judgeRefusal(const std::string& form, const Diagnostic& error, bool dependent)
{
    if (error.what.empty() || error.why.empty())
        return form + " refuses without a reason";
    for (const char* plain : {"index-1", "index-2", "index-3", "ggl", "dummy-derivatives", "projection", "baumgarte"})
        if (form == plain && !dependent)
            return form + " refuses: " + error.text();
    return {};
}

/// In a singular configuration every form may stop.
inline std::string judgeStop(const DrawnMechanism& drawn, const run::Run& run, const std::string& form, int rank)
{
    const auto why = run.status().diagnostic;
    const bool singular = drawn.singular(endOf(drawn, run).q, run.status().t, rank);
    if ((mayStopAtRest(form) || singular) && why && !why->why.empty())
        return {};
    return form + " stopped: " + (why ? why->text() : "");
}

/// Each form of always, and some others: they move alike.
inline std::string judgeForms(const DrawnMechanism& drawn, const std::shared_ptr<const model::CompiledSystem>& system,
                              const DrawnMechanism::Ranks& ranks, MechanismTally& tally)
{
    Draw draw(drawn.shape().seed ^ 0x51u);
    std::optional<EndState> agreed;
    const bool dependent = ranks.velocities + velocityRowsAside(system->system()) < ranks.places + drawn.velocityRows();
    tally.dependent += dependent;
    for (const auto& form : formulation::formulations()) {
        const std::string id = form->info().id;
        if (std::find(kAlwaysTried.begin(), kAlwaysTried.end(), id) == kAlwaysTried.end() && !draw.chance(0.3))
            continue;
        auto run = run::Run::create(system, {}, mechanismSettings(id));
        if (!run) {
            ++tally.refused[id];
            if (const std::string fault = judgeRefusal(id, run.error(), dependent); !fault.empty())
                return fault;
            continue;
        }
        const EndState begin = endOf(drawn, **run);
        if (const double moved =
                (begin.q - drawn.start()).cwiseAbs().maxCoeff() + (begin.v - drawn.velocity()).cwiseAbs().maxCoeff();
            !(moved < kStartError) && !givesWay(id))
            return id + " moves a consistent start by " + std::to_string(moved * 1e9) + "e-9";
        if (!(*run)->advanceTo(kMechanismEnd)) {
            ++tally.stopped[id];
            if (const std::string fault = judgeStop(drawn, **run, id, ranks.velocities); !fault.empty())
                return fault;
            continue;
        }
        ++tally.ran[id];
        if (givesWay(id))
            continue;
        if (const std::string fault = judgeMechanismRun(drawn, **run, id, begin, agreed, tally); !fault.empty())
            return fault;
    }
    return {};
}

inline std::string judgeMechanism(const MechanismShape& shape, MechanismTally& tally)
{
    const DrawnMechanism drawn(shape);
    if (drawn.residual(drawn.start(), 0) > kStartError || drawn.slip(drawn.start(), drawn.velocity()) > kStartError)
        return "the test's own start is not consistent";
    const auto ranks = drawn.ranks(drawn.start());
    if (!ranks) {
        ++tally.unclear;
        return {};
    }
    const auto model = model::readModel(drawn.text(), "drawn.toml");
    if (!model)
        return "cannot be read: " + model.error().text();
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return "does not compile: " + system.error().text();
    if (ranks->velocities == drawn.n()) {
        ++tally.rigid;
        return {};
    }
    if (drawn.contradicts()) {
        ++tally.contradictory;
        return judgeContradiction(*system);
    }
    ++tally.judged;
    tally.redundant += ranks->places < drawn.rows();
    tally.driven += drawn.driven();
    for (const auto& joint : drawn.joints())
        ++tally.joints[joint.kind];
    if (const std::string fault = judgeCounts(drawn, *system, *ranks); !fault.empty())
        return fault;
    return judgeForms(drawn, *system, *ranks, tally);
}

/// count mechanisms from a seed; what is wrong, by the first words, each with its first case made smaller.
inline std::string walkMechanisms(std::uint64_t seed, int count, MechanismTally& tally)
{
    std::map<std::string, std::pair<int, MechanismShape>> wrong;
    const auto kind = [](const std::string& fault) { return fault.substr(0, fault.find(' ', fault.find(' ') + 1)); };
    for (int k = 0; k < count; ++k) {
        const MechanismShape shape = drawMechanism(seed + static_cast<std::uint64_t>(k));
        if (const std::string fault = judgeMechanism(shape, tally); !fault.empty())
            ++wrong.try_emplace(kind(fault), 0, shape).first->second.first;
    }
    std::string out;
    MechanismTally apart;
    for (const auto& [name, cases] : wrong) {
        const std::string& fault = name;
        const MechanismShape least = shrunk(
            cases.second, smallerMechanisms, [&](const MechanismShape& s) { return kind(judgeMechanism(s, apart)) == fault; },
            20);
        out += "\n" + std::to_string(cases.first) + " of " + std::to_string(count) + ": " + name + ": " + cases.second.told()
               + "\n" + judgeMechanism(cases.second, apart) + "\nsmallest: " + least.told() + "\n"
               + judgeMechanism(least, apart) + "\n" + DrawnMechanism(least).text() + "\n";
    }
    return out;
}

} // namespace driftless::test
