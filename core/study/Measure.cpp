#include "core/study/Measure.h"

#include <algorithm>

#include "core/measure/Take.h"

namespace driftless::study {

namespace {

class FinishedRuns final : public measure::Runs {
public:
    explicit FinishedRuns(const Finished& finished) : finished_(finished) {}

    std::optional<std::size_t> find(const std::string& name) const override
    {
        const auto& runs = finished_.study->runs;
        const auto found = std::ranges::find(runs, name, &PlannedRun::name);
        return found == runs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - runs.begin()));
    }

    Result<void> ready(std::size_t run, const MeasureText& text) const override
    {
        if (finished_.runs[run])
            return {};
        return measure::badMeasure(text, "the run " + finished_.study->runs[run].name + " is not finished");
    }

    Result<Value> named(std::size_t run, const std::string& name, const MeasureText& text) const override
    {
        const auto& variables = finished_.study->runs[run].variables;
        if (const auto found = variables.find(name); found != variables.end())
            return Value{found->second};
        return measure::namedOf(*finished_.runs[run], name, text);
    }

    Result<const measure::Record*> record(std::size_t run, const MeasureText& text) const override
    {
        if (auto there = ready(run, text); !there)
            return there.error();
        return static_cast<const measure::Record*>(finished_.runs[run]);
    }

    std::vector<Relative> relatives(std::size_t run, const std::string& variable) const override
    {
        std::vector<Relative> out;
        const auto& runs = finished_.study->runs;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (const auto value = runs[i].variables.find(variable);
                runs[i].family == runs[run].family && value != runs[i].variables.end())
                out.push_back({.run = i, .variable = value->second});
        return out;
    }

private:
    const Finished& finished_;
};

} // namespace

Result<Value> measure(const Finished& finished, std::size_t run, const MeasureText& text)
{
    return measure::take(FinishedRuns(finished), run, text);
}

Result<double> measureNumber(const Finished& finished, std::size_t run, const MeasureText& text)
{
    const MeasureText today = measure::asWritten(text.text, text.position, measure::Place::Study);
    return measure::takeNumber(FinishedRuns(finished), run, today);
}

} // namespace driftless::study
