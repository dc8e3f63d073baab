// What a lesson asks of its benches, held against the models: columns of plots and questions, gains and options of
// formulations.
#include <algorithm>

#include "core/formulation/Formulation.h"
#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"
#include "core/measure/Check.h"
#include "core/run/Columns.h"
#include "core/study/Execute.h"
#include "core/text/Names.h"

namespace driftless::lesson {

namespace {

constexpr double kNoTime = 1; // [s] the bench is made and not run
constexpr std::size_t kShownText = 60;

/// A bench with everything that is done to it in the steps that work on it: one model, and the forms that come up.
class BenchNames final : public measure::PlannedRuns {
public:
    explicit BenchNames(const model::CompiledSystem& system) : model_(system.model())
    {
        for (const run::Column& column : run::recordedColumns(system.system()))
            names_.columns.push_back(column.name);
        for (const model::Parameter& parameter : system.system().parameters)
            names_.parameters.push_back(parameter.quantity.name);
    }

    void addRun(const run::RunSettings& settings)
    {
        ++runs_;
        addFormulation(settings.formulation, settings.choices);
    }
    void addFormulation(const std::string& id, const std::map<std::string, std::string>& choices)
    {
        const formulation::Formulation* form = formulation::findFormulation(id);
        if (!form)
            return;
        for (const auto& option : form->info().options)
            names_.options.push_back(option.name);
        if (const auto dae = form->build(model_, choices))
            for (const auto& gain : dae->gains)
                names_.gains.push_back(gain.quantity.name);
    }

    std::optional<std::size_t> find(const std::string& name) const override
    {
        for (std::size_t i = 0; i < runs_; ++i)
            if (name == "run-" + std::to_string(i + 1))
                return i;
        return {};
    }
    const measure::RunNames& names(std::size_t) const override { return names_; }
    bool hasVariable(std::size_t, const std::string&) const override { return false; }
    std::vector<double> familyValues(std::size_t, const std::string&) const override { return {}; }

    const measure::RunNames& names() const { return names_; }
    std::size_t count() const { return runs_; }

private:
    const model::Model& model_;
    measure::RunNames names_;
    std::size_t runs_ = 0;
};

class Review {
public:
    explicit Review(std::vector<Diagnostic>& findings) : findings_(findings) {}

    void setup(const Setup& setup, const BenchNames& bench, const std::string& where)
    {
        for (const PlotChoice& plot : setup.plots)
            for (const std::string* column : {&plot.of, &plot.against})
                if (!column->empty() && *column != "t" && !measure::hasColumn(bench.names(), *column))
                    missing("column", *column, bench.names().columns, where + ", plots", setup.position);
        for (std::size_t i = 0; i < setup.runs.size(); ++i)
            options(setup.runs[i].formulation, setup.runs[i].choices, where + ", run " + std::to_string(i + 1), setup.position);
    }

    /// Whether the runs can begin at all.
    void runs(const study::Executor& executor, const Setup& setup, const std::string& where)
    {
        for (std::size_t i = 0; i < setup.runs.size(); ++i) {
            const run::PreparedRun& prepared = executor.prepared(i);
            if (const auto made = run::Run::create(prepared.system, prepared.start, prepared.settings); !made) {
                findings_.push_back(made.error());
                findings_.back().where = where + ", run " + std::to_string(i + 1);
                findings_.back().position = setup.position;
            }
        }
    }

    void actions(const Step& step, const BenchNames& bench, const std::string& where)
    {
        for (const Action& action : step.show) {
            if (action.run < 1 || static_cast<std::size_t>(action.run) > bench.count())
                noRun(action.run, bench, where + ", show", step.position);
            for (const auto& [name, value] : action.parameters)
                if (std::ranges::find(bench.names().parameters, name) == bench.names().parameters.end())
                    missing("parameter", name, bench.names().parameters, where + ", show", step.position);
            if (action.add)
                options(action.add->formulation, action.add->choices, where + ", show", step.position);
            if (action.formulation)
                options(*action.formulation, action.choices, where + ", show", step.position);
            for (const auto& [name, value] : action.gains)
                if (std::ranges::find(bench.names().gains, name) == bench.names().gains.end())
                    missing("gain", name, bench.names().gains, where + ", show", step.position);
        }
    }

    void question(const Question& question, const BenchNames& bench, const std::string& where)
    {
        if (question.kind == Question::Kind::Number)
            quotient(question.measure, question.over, bench, where);
        for (const Check& check : question.checks) {
            quotient(check.measure, check.over, bench, where);
            if (check.below && check.above && !(*check.above < *check.below))
                findings_.push_back({.what = "A check can never be fulfilled",
                                     .where = where,
                                     .why = "nothing is above and below at once as it asks",
                                     .remedy = "above = the smaller number, below = the larger one",
                                     .position = check.measure.what.position});
        }
        for (auto one = question.options.begin(); one != question.options.end(); ++one)
            if (std::any_of(question.options.begin(), one, [&](const Option& other) { return other.text == one->text; }))
                findings_.push_back({.what = "Two options say the same",
                                     .where = where,
                                     .why = '"' + one->text.substr(0, kShownText) + "\" stands there twice",
                                     .remedy = "another text for one of them",
                                     .position = question.position});
    }

private:
    void quotient(const Measure& what, const std::optional<Measure>& over, const BenchNames& bench, const std::string& where)
    {
        judge(what, bench, where);
        if (over)
            judge(*over, bench, where);
    }

    void judge(const Measure& what, const BenchNames& bench, const std::string& where)
    {
        const auto run = static_cast<std::size_t>(what.run) - 1;
        if (run >= bench.count() && what.run != 1)
            noRun(what.run, bench, where, what.what.position);
        else if (auto sound = measure::checkMeasure(bench, run, what.what, measure::Place::Lesson, false); !sound)
            add(sound.error(), where);
    }

    void noRun(int run, const BenchNames& bench, const std::string& where, const SourcePosition& position)
    {
        findings_.push_back({.what = "The bench has no run " + std::to_string(run),
                             .where = where,
                             .why = "it has " + std::to_string(bench.count()),
                             .remedy = "run = 1",
                             .position = position});
    }

    /// Options with their choices of one formulation.
    void options(const std::string& id, const std::map<std::string, std::string>& choices, const std::string& where,
                 const SourcePosition& position)
    {
        const formulation::Formulation* form = formulation::findFormulation(id);
        if (!form)
            return;
        std::vector<std::string> known;
        for (const auto& option : form->info().options)
            known.push_back(option.name);
        for (const auto& [name, choice] : choices) {
            const auto option = std::ranges::find(form->info().options, name, &formulation::FormulationOption::name);
            if (option == form->info().options.end())
                missing("option", name, known, where, position);
            else if (std::ranges::find(option->choices, choice) == option->choices.end())
                missing("choice of " + name, choice, option->choices, where, position);
        }
    }

    void missing(const std::string& what, const std::string& name, const std::vector<std::string>& known,
                 const std::string& where, const SourcePosition& position)
    {
        const std::string near = text::nearestName(name, known);
        findings_.push_back({.what = "There is no " + what + " \"" + name.substr(0, 60) + '"',
                             .where = where,
                             .why = known.empty() ? "there is none at all" : "known are " + text::firstOf(known),
                             .remedy = near.empty() ? "choose one of these" : "did you mean \"" + near + "\"?",
                             .position = position});
    }

    void add(Diagnostic finding, const std::string& where)
    {
        finding.where = where + ", " + finding.where;
        findings_.push_back(std::move(finding));
    }

    std::vector<Diagnostic>& findings_;
};

} // namespace

std::vector<Diagnostic> reviewBenches(const Lesson& lesson)
{
    std::vector<Diagnostic> findings;
    Review review(findings);
    std::unique_ptr<study::Executor> executor; // it keeps the model that the names are of
    study::Study bench;
    std::optional<BenchNames> names;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const Step& step = lesson.steps[i];
        const std::string where = "step " + std::to_string(i + 1);
        if (step.setup) {
            names.reset();
            bench = benchOf(lesson, i, kNoTime);
            auto made = study::Executor::create(bench, "review");
            if (!made)
                continue;
            executor = std::move(*made);
            names.emplace(executor->system(0));
            for (const run::RunSettings& settings : step.setup->runs)
                names->addRun(settings);
            review.setup(*step.setup, *names, where + ", setup");
            review.runs(*executor, *step.setup, where + ", setup");
        }
        if (!names)
            continue;
        for (const Action& action : step.show) {
            if (action.add)
                names->addRun(*action.add);
            if (action.formulation)
                names->addFormulation(*action.formulation, action.choices);
        }
        review.actions(step, *names, where);
        if (step.question)
            review.question(*step.question, *names, where + ", question");
    }
    return findings;
}

} // namespace driftless::lesson
