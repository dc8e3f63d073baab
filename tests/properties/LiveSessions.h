// Random sessions: runs of a shipped model that are switched, changed, branched, started again and removed at random times. A
// session is a list of deeds, so that one that fails can be made shorter.
#pragma once

#include <bit>
#include <sstream>
#include <string>
#include <vector>

#include "core/formulation/Formulation.h"
#include "core/run/Past.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

namespace driftless::test {

struct Deed {
    int kind = 0;
    std::uint64_t seed = 0; ///< of what it draws
};
struct LiveSession {
    std::uint64_t seed = 0;
    std::string model;
    std::vector<Deed> deeds;
};

inline constexpr int kDeedKinds = 12;

/// Drives a laboratory by the deeds and says what a replay of its session makes otherwise.
class SessionDriver {
public:
    explicit SessionDriver(std::shared_ptr<const model::CompiledSystem> system)
        : system_(std::move(system)), laboratory_(system_, {}, 1)
    {
        laboratory_.setPatience(kMostSeconds);
    }

    std::string told; ///< what was done
    int refused = 0;

    /// Empty where all is right.
    std::string judge(const LiveSession& session)
    {
        for (const Deed& deed : session.deeds) {
            Draw draw(deed.seed);
            const auto before = laboratory_.runs().size();
            const std::string what = carryOut(deed.kind, draw);
            told += what + '\n';
            const auto after = laboratory_.runs().size();
            if (after != before + (what.rfind("add", 0) == 0 ? 1 : 0) - (what.rfind("remove", 0) == 0 ? 1 : 0))
                return "a run was lost or came from nowhere";
            for (const run::RunId id : laboratory_.runs())
                if (const auto status = laboratory_.status(id);
                    status.state == run::RunState::Failed && (!status.diagnostic || status.diagnostic->what.empty()))
                    return "a run failed without a reason";
            if (!laboratory_.waitUntil(laboratory_.clock().t + draw.between(0, 0.15), kMostSeconds))
                told += "(the slowest run had not come there)\n";
        }
        return compare();
    }

    const std::string& json() const { return json_; }

private:
    static constexpr std::size_t kMostRuns = 4;
    /// What is waited for one deed: an explicit method on a stiff circuit would take hours for its tenth of a second. The
    /// replay takes as long once more.
    static constexpr double kMostSeconds = 2;

    std::string carryOut(int kind, Draw& draw)
    {
        const auto ids = laboratory_.runs();
        if (kind == 0 || ids.empty())
            return ids.size() < kMostRuns ? add(draw) : "wait";
        const run::RunId id = draw.among(ids);
        switch (kind) {
        case 1:
            if (ids.size() == 1)
                return "wait";
            laboratory_.removeRun(id);
            return "remove " + std::to_string(id.value);
        case 2: {
            const double t = draw.between(0, 1) * laboratory_.clock().t;
            const bool asThen = draw.chance(0.5);
            const auto as = asThen ? run::branchesAsThen(laboratory_, t, id) : std::map<run::RunId, run::Branch>{};
            return answer((asThen ? "branch as it was at " : "branch at ") + std::to_string(t), laboratory_.branchAt(t, as));
        }
        case 3:
            return answer("restart all", laboratory_.restartAll());
        case 4:
            return answer(
                "start",
                laboratory_.setStart({{{coordinate(draw), draw.between(-0.5, 0.5)}}, draw.chance(0.2), draw.chance(0.3), {}}));
        default:
            break;
        }
        const auto payload = payloadOf(kind, id, draw);
        if (!payload)
            return "wait";
        const auto target = draw.chance(0.3) ? ids : std::vector<run::RunId>{id};
        return answer(run::describe(*payload) + (target.size() > 1 ? " on all" : " on " + std::to_string(id.value)),
                      laboratory_.command(target, *payload));
    }

    template <class Outcome>
    std::string answer(std::string what, const Outcome& done)
    {
        refused += done.ok() ? 0 : 1;
        return "do " + std::move(what) + (done.ok() ? "" : ": refused, " + done.error().what);
    }

    std::string coordinate(Draw& draw) const
    {
        const auto& s = system_->system();
        return s.coordinates.empty() ? s.values.front().name : draw.among(s.coordinates).name;
    }

    static std::string method(Draw& draw)
    {
        for (;;)
            if (const auto& info = draw.among(integrate::integratorCatalogue());
                info.family != integrate::Family::Mechanical || draw.chance(0.5))
                return info.id;
    }
    static std::string form(Draw& draw) { return draw.among(formulation::formulations())->info().id; }
    static integrate::IntegratorOptions options(Draw& draw)
    {
        integrate::IntegratorOptions out;
        out.step = std::pow(10, draw.between(-2.5, -1.2));
        out.relativeTolerance = out.absoluteTolerance = std::pow(10, draw.between(-9, -4));
        return out;
    }

    std::string add(Draw& draw)
    {
        std::string refusals;
        for (int tries = 0; tries < 20; ++tries) {
            run::RunSettings settings;
            settings.formulation = form(draw);
            settings.integrator = method(draw);
            settings.options = options(draw);
            settings.rows = draw.chance(0.3) ? run::Rows::AsCurvesNeed : run::Rows::EveryStep;
            if (const auto id = laboratory_.addRun(settings); id)
                return "add " + std::to_string(id->value) + ": " + settings.formulation + " with " + settings.integrator
                       + ", h = " + std::to_string(settings.options.step);
            ++refused;
        }
        return "wait, nothing could be added";
    }

    std::optional<run::CommandPayload> payloadOf(int kind, run::RunId id, Draw& draw) const
    {
        const auto& s = system_->system();
        const auto status = laboratory_.status(id);
        switch (kind) {
        case 5:
            return run::SetFormulation{form(draw)};
        case 6:
            return run::SetIntegrator{method(draw)};
        case 7:
            return run::SetOptions{options(draw)};
        case 8: {
            if (s.parameters.empty())
                return std::nullopt;
            const auto& p = draw.among(s.parameters);
            return run::SetParameter{p.quantity.name, p.quantity.value * draw.between(0.8, 1.25)};
        }
        case 9: {
            run::PivotChoice pivot{draw.chance(0.3), {}};
            for (int k = 0; !pivot.automatic && k < s.m(); ++k)
                pivot.dummies.push_back(coordinate(draw));
            return run::SetPivot{pivot};
        }
        case 10:
            return run::SetState{{{coordinate(draw), draw.between(-0.5, 0.5)}}, draw.chance(0.2)};
        default:
            if (status.gains.empty())
                return run::SetRows{draw.chance(0.5) ? run::Rows::AsCurvesNeed : run::Rows::EveryStep};
            auto gain = status.gains.begin();
            std::advance(gain, draw.upTo(0, static_cast<int>(status.gains.size()) - 1));
            return run::SetGain{gain->first, gain->second * draw.between(0.5, 2)};
        }
    }

    static bool sameBits(double a, double b)
    {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
    }

    /// The first line of a that b does not have in its place, with b's.
    static std::string firstDifference(const std::string& a, const std::string& b)
    {
        std::istringstream x(a), y(b);
        std::string left, right;
        do {
            left.clear();
            right.clear();
            std::getline(x, left);
            std::getline(y, right);
        } while (left == right && (x || y));
        return left + "\n" + right;
    }

    std::string compare()
    {
        laboratory_.scrub(0); // the slowest run stands still, too
        laboratory_.waitUntil(0);
        json_ = laboratory_.sessionJson();
        const auto replayed = run::replaySession(json_, "session");
        if (!replayed)
            return "the session does not replay: " + replayed.error().text();
        if (replayed->runs.size() != laboratory_.runs().size())
            return "the replay has another number of runs";
        for (std::size_t k = 0; k < replayed->runs.size(); ++k) {
            const auto live = laboratory_.recording(replayed->ids[k]), again = replayed->runs[k]->recording();
            const std::string run = "run " + std::to_string(replayed->ids[k].value);
            if (live.rowCount() != again.rowCount() || live.columnCount() != again.columnCount())
                return run + " has " + std::to_string(again.rowCount()) + " rows instead of " + std::to_string(live.rowCount());
            for (std::uint64_t row = 0; row < live.rowCount(); ++row) {
                const std::string where = run + " differs in row " + std::to_string(row) + ": ";
                if (!sameBits(live.time(row), again.time(row)))
                    return where + "t " + text::exact(live.time(row)) + " and " + text::exact(again.time(row));
                for (int c = 0; c < live.columnCount(); ++c)
                    if (const double a = live.value(row, c), b = again.value(row, c); !sameBits(a, b))
                        return where + "at t = " + text::exact(live.time(row)) + " "
                               + live.columns()[static_cast<std::size_t>(c)].name + " " + text::exact(a) + " and "
                               + text::exact(b);
            }
        }
        const auto opened = run::Laboratory::open(json_, "session", 1);
        if (!opened)
            return "the session does not open: " + opened.error().text();
        return (*opened)->sessionJson() == json_
                   ? std::string()
                   : "the session that is opened and saved is another\n" + firstDifference(json_, (*opened)->sessionJson());
    }

    std::shared_ptr<const model::CompiledSystem> system_;
    run::Laboratory laboratory_;
    std::string json_;
};

} // namespace driftless::test
