#include "core/run/Advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "core/integrate/ShortestStep.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::run {

namespace {

using Kind = Proposal::Kind;

/// A fixed step shorter than this many round-offs of time is not what a run fails by.
constexpr double kShortAnyway = 1e6;
constexpr double kLoosest = 1e-3, kTightest = 1e-10; ///< tolerances beyond which the other direction, or none, is worth a try
constexpr double kByAnOrder = 10;
constexpr double kSafeTolerance = 1e-6; ///< where nothing else is known
constexpr std::size_t kMostNamed = 3;

/// Whether the present method carries another form of this model. What only building it would tell (redundant rows, a singular
/// mass matrix) is left to the refusal.
bool carries(const Situation& s, const formulation::FormulationInfo& form)
{
    if (s.equations ? !form.general : form.needsChart && !s.chart)
        return false;
    return integrate::canCarry(*s.method, form.index, form.id == "projection").ok();
}

/// Whether another method carries the present form.
bool carries(const Situation& s, const integrate::IntegratorInfo& method)
{
    return integrate::canCarry(method, s.index, s.projects, s.semiExplicit).ok();
}

std::optional<Proposal> formAmong(const Situation& s, std::span<const std::string_view> ids, const std::string& before)
{
    Proposal p{.kind = Kind::Formulation};
    for (const std::string_view id : ids) {
        const auto* form = formulation::findFormulation(id);
        if (form && (!s.form || form->info().id != s.form->id) && p.ids.size() < kMostNamed && carries(s, form->info()))
            p.ids.emplace_back(id);
    }
    if (p.ids.empty())
        return std::nullopt;
    p.text = before + text::alternatives(p.ids);
    return p;
}

std::optional<Proposal> methodAmong(const Situation& s, std::span<const std::string_view> ids, const std::string& before)
{
    Proposal p{.kind = Kind::Integrator};
    for (const std::string_view id : ids) {
        const auto* method = integrate::findIntegrator(id);
        if (method && method->id != s.method->id && p.ids.size() < kMostNamed && carries(s, *method))
            p.ids.emplace_back(id);
    }
    if (p.ids.empty())
        return std::nullopt;
    p.text = before + text::alternatives(p.ids);
    return p;
}

std::optional<Proposal> shorterStep(const Situation& s)
{
    if (s.method->adaptive || !(s.step > kShortAnyway * integrate::timeRoundoff(s.t, s.step)))
        return std::nullopt;
    return Proposal{.kind = Kind::ShorterStep, .value = s.step / 2, .text = "a step below " + text::rounded(s.step, 3) + " s"};
}

std::optional<Proposal> looser(const Situation& s)
{
    if (!s.method->adaptive || !(s.tolerance < kLoosest))
        return std::nullopt;
    const double value = std::min(kLoosest, kByAnOrder * s.tolerance);
    return Proposal{
        .kind = Kind::LooserTolerances, .value = value, .text = "looser tolerances, such as " + text::rounded(value, 3)};
}

std::optional<Proposal> tighter(const Situation& s)
{
    if (!s.method->adaptive || !(s.tolerance > kTightest))
        return std::nullopt;
    const double value = std::max(kTightest, std::min(kSafeTolerance, s.tolerance / kByAnOrder));
    return Proposal{
        .kind = Kind::TighterTolerances, .value = value, .text = "tighter tolerances, such as " + text::rounded(value, 3)};
}

std::optional<Proposal> implicitMethod(const Situation& s)
{
    static constexpr std::array<std::string_view, 3> ids{"radau", "ida", "radau-iia-5"};
    return s.method->implicitMethod ? std::nullopt : methodAmong(s, ids, "an implicit method, such as ");
}

std::optional<Proposal> otherMethod(const Situation& s)
{
    static constexpr std::array<std::string_view, 4> ids{"radau", "bdf", "ida", "dormand-prince"};
    return methodAmong(s, ids, "another integrator, such as ");
}

std::optional<Proposal> dampingMethod(const Situation& s)
{
    static constexpr std::array<std::string_view, 2> ids{"radau-iia-5", "bdf2"};
    return methodAmong(s, ids, "a method that damps, such as ");
}

std::optional<Proposal> lowerIndex(const Situation& s)
{
    static constexpr std::array<std::string_view, 2> ids{"dummy-derivatives", "index-1"};
    return s.index < 2 ? std::nullopt : formAmong(s, ids, "a form of lower index, such as ");
}

std::optional<Proposal> holdingPositions(const Situation& s)
{
    static constexpr std::array<std::string_view, 3> ids{"projection", "ggl", "dummy-derivatives"};
    return s.holdsPositions ? std::nullopt : formAmong(s, ids, "a formulation that enforces the positions, such as ");
}

std::optional<Proposal> holdingVelocities(const Situation& s)
{
    static constexpr std::array<std::string_view, 2> ids{"ggl", "dummy-derivatives"};
    return s.holdsVelocities ? std::nullopt : formAmong(s, ids, "a form that holds the velocities too, such as ");
}

std::optional<Proposal> otherForm(const Situation& s)
{
    static constexpr std::array<std::string_view, 4> ids{"dummy-derivatives", "ggl", "projection", "index-1"};
    return formAmong(s, ids, "another formulation, such as ");
}

std::optional<Proposal> automaticPivot(const Situation& s)
{
    if (!s.pinned)
        return std::nullopt;
    return Proposal{.kind = Kind::AutomaticPivot, .text = "automatic pivoting"};
}

std::optional<Proposal> otherStart(const Situation&)
{
    return Proposal{.kind = Kind::Start, .text = "other start values or parameters"};
}

std::optional<Proposal> withoutMultipliers(const Situation& s)
{
    static constexpr std::array<std::string_view, 3> ids{"state-space", "augmented-lagrangian", "penalty"};
    return formAmong(s, ids, "a form that needs no independent constraints, such as ");
}

std::optional<Proposal> fewerJoints(const Situation&)
{
    return Proposal{.kind = Kind::Model, .text = "a model without the redundant joint, if one is"};
}

std::optional<Proposal> withinDomain(const Situation&)
{
    return Proposal{.kind = Kind::Start, .text = "other start values or parameters that keep away from it"};
}

std::optional<Proposal> consistentStart(const Situation&)
{
    return Proposal{.kind = Kind::Start, .text = "a consistent start"};
}

using Maker = std::optional<Proposal> (*)(const Situation&);

struct Rule {
    Trouble trouble;
    std::array<Maker, 5> makers;
};

constexpr std::array kRules{
    Rule{Trouble::NotFinite, {shorterStep, tighter, implicitMethod, otherForm}},
    Rule{Trouble::Stuck, {implicitMethod, looser, otherForm, otherMethod}},
    Rule{Trouble::EnergyLost, {shorterStep, tighter, implicitMethod, otherForm}},
    Rule{Trouble::ConstraintsLost, {shorterStep, tighter, holdingPositions}},
    Rule{Trouble::VelocitiesLost, {consistentStart, dampingMethod, holdingVelocities}},
    Rule{Trouble::NotSolved, {shorterStep, looser, lowerIndex, otherMethod}},
    Rule{Trouble::SingularMatrix, {automaticPivot, otherForm, otherStart}},
    Rule{Trouble::Tolerances, {looser, lowerIndex, otherMethod}},
    Rule{Trouble::SingularConfiguration, {withoutMultipliers, otherStart, fewerJoints}},
    // An explicit method that has grown beyond all numbers ends there, too.
    Rule{Trouble::OutsideDomain, {shorterStep, implicitMethod, withinDomain}},
    Rule{Trouble::NotProjected, {shorterStep, tighter, otherForm}},
    Rule{Trouble::Other, {otherMethod, otherForm}},
};

} // namespace

std::vector<Proposal> proposalsFor(Trouble trouble, const Situation& situation)
{
    std::vector<Proposal> out;
    const auto rule = std::find_if(kRules.begin(), kRules.end(), [trouble](const Rule& r) { return r.trouble == trouble; });
    if (rule != kRules.end())
        for (const Maker make : rule->makers)
            if (auto proposal = make ? make(situation) : std::nullopt)
                out.push_back(std::move(*proposal));
    if (out.empty())
        out.push_back(*otherStart(situation));
    return out;
}

std::string advise(Trouble trouble, const Situation& situation)
{
    return text::enumerated(
        proposalsFor(trouble, situation), [](const Proposal& proposal) { return proposal.text; }, ", or ");
}

} // namespace driftless::run
