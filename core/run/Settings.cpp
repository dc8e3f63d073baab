#include "core/run/Settings.h"

#include "core/text/Numbers.h"

namespace driftless::run {

namespace {

struct Describe {
    std::string operator()(const SetParameter& c) const { return c.name + " -> " + text::rounded(c.value); }
    std::string operator()(const SetFormulation& c) const { return "formulation -> " + c.id; }
    std::string operator()(const SetIntegrator& c) const { return "integrator -> " + c.id; }
    std::string operator()(const SetOptions& c) const
    {
        std::string single;
        for (const auto& [name, value] : c.options.tolerances)
            single += ", atol of " + name + " -> " + text::rounded(value);
        return "step -> " + text::rounded(c.options.step) + ", rtol -> " + text::rounded(c.options.relativeTolerance)
               + ", atol -> "
               + (c.options.absoluteTolerance > 0 ? text::rounded(c.options.absoluteTolerance) : "by nominal values") + single
               + (c.options.parameter != 0 ? ", parameter of the method -> " + text::rounded(c.options.parameter) : "");
    }
    std::string operator()(const SetPivot& c) const
    {
        if (c.pivot.automatic)
            return "pivot -> automatic";
        std::string out = "pivot -> ";
        for (std::size_t i = 0; i < c.pivot.dummies.size(); ++i)
            out += (i ? ", " : "") + c.pivot.dummies[i];
        return out;
    }
    std::string operator()(const SetStart& c) const { return c.allowInconsistent ? "start as it stands" : "new start values"; }
    std::string operator()(const SetChoice& c) const { return c.name + " -> " + c.value; }
    std::string operator()(const SetRows& c) const
    {
        return c.rows == Rows::EveryStep ? "every step is recorded" : "steps are recorded as curves need them";
    }
    std::string operator()(const SetGain& c) const { return c.name + " -> " + text::rounded(c.value); }
    std::string operator()(const SetState& c) const
    {
        if (c.asRecorded)
            return "an earlier state brought back";
        constexpr std::size_t kMostNames = 4;
        std::string out;
        std::size_t shown = 0;
        for (const auto& [name, value] : c.values)
            if (shown++ < kMostNames)
                out += (out.empty() ? "" : ", ") + name + " -> " + text::rounded(value);
        return shown > kMostNames ? out + " and " + std::to_string(shown - kMostNames) + " more" : out;
    }
    std::string operator()(const Reset&) const { return "back to the start"; }
    std::string operator()(const Branch& c) const
    {
        std::string out = "continues from t = " + text::rounded(c.to);
        if (c.settings)
            out += " with " + c.settings->formulation + " and " + c.settings->integrator;
        for (const auto& [name, value] : c.parameters)
            out += ", " + name + " = " + text::rounded(value);
        return out;
    }
    std::string operator()(const Restart&) const { return "integrator restarted"; }
};

} // namespace

std::string describe(const CommandPayload& payload) { return std::visit(Describe{}, payload); }

bool actsAtOneTime(const CommandPayload& payload)
{
    return !std::holds_alternative<Branch>(payload) && !std::holds_alternative<Reset>(payload)
           && !std::holds_alternative<SetStart>(payload) && !std::holds_alternative<Restart>(payload);
}

StartSettings startAfter(StartSettings start, const SetStart& command)
{
    start.values = command.values;
    start.allowInconsistent = command.allowInconsistent;
    start.massMetric = command.massMetric;
    start.fixed = command.fixed;
    return start;
}

} // namespace driftless::run
