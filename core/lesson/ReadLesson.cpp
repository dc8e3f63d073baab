// Lesson files: TOML to Lesson. Every table lists its keys; whatever else stands there is refused at its place.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/lesson/CheckLesson.h"
#include "core/measure/Check.h"
#include "core/run/SettingKeys.h"
#include "core/study/ClaimReader.h"
#include "core/study/EventReader.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/TableReader.h"

namespace driftless::lesson {

namespace {

using model::refuse;
using model::TableReader;
using model::TomlKind;
using model::TomlValue;

constexpr std::size_t kMostRuns = 8, kMostPlots = 3, kMostOptions = 6, kMostChecks = 8, kMostHints = 4, kMostActions = 12,
                      kMostClaims = 60;
constexpr std::size_t kMostNames = 40;

/// A name out of a known list, else refused with the nearest one.
void checkKnown(const std::string& name, const std::vector<std::string>& known, const SourcePosition& position,
                const std::string& what, const std::string& where)
{
    if (std::ranges::find(known, name) != known.end())
        return;
    const std::string near = text::nearestName(name, known);
    refuse(position, "There is no " + what + " \"" + text::shortened(name) + '"', where, "known are " + text::firstOf(known),
           near.empty() ? "choose one of these" : "did you mean \"" + near + "\"?");
}

class LessonReader {
public:
    LessonReader(std::string file, const ReadLimits& limits) : file_(std::move(file)), limits_(limits) {}

    Lesson read(const TomlValue& root)
    {
        const TableReader table(root, {file_, 1, 1}, "lesson",
                                {"format", "id", "title", "summary", "source", "level", "order", "after", "afternoon", "step"});
        if (table.number("format").value_or(0) != 1)
            refuse(table.keyPosition("format"), "The format of the lesson is not known", "lesson",
                   "this program reads format 1", "write format = 1");
        Lesson lesson;
        lesson.id = table.needText("id", "id = \"drift-off\"");
        model::checkName(lesson.id, table.keyPosition("id"), "lesson", true);
        lesson.title = table.needText("title", "title = \"Drift-off\"");
        lesson.summary = longText(table, "summary");
        lesson.source = table.text("source");
        lesson.order = static_cast<int>(std::clamp(table.number("order").value_or(1000), 0.0, 1e6));
        const std::string level = table.text("level", "introductory");
        const std::vector<std::string> levels{"introductory", "intermediate", "advanced"};
        checkKnown(level, levels, table.keyPosition("level"), "level", "lesson");
        lesson.level = static_cast<Level>(std::ranges::find(levels, level) - levels.begin());
        lesson.place = place(table, lesson.id);
        const auto& steps = tables(table, "step", limits_.maxSteps);
        if (steps.empty())
            refuse(table.position(), "The lesson has no step", "lesson", "", "write [[step]] with a title and a text");
        for (const TomlValue& step : steps)
            lesson.steps.push_back(readStep(step, lesson.steps.size()));
        if (!lesson.steps.front().setup)
            refuse(steps.front().position, "The first step sets nothing up", "step 1", "every step works on a bench",
                   "write [step.setup] with a model and a run");
        return lesson;
    }

private:
    Place place(const TableReader& table, const std::string& id) const
    {
        Place out{.after = texts(table, "after", kMostNames)};
        for (const std::string& before : out.after) {
            model::checkName(before, table.keyPosition("after"), "lesson", true);
            if (before == id)
                refuse(table.keyPosition("after"), "The lesson comes after itself", "lesson", "",
                       "name lessons that come before it");
        }
        constexpr double kLongestPath = 100;
        out.afternoon = static_cast<int>(std::clamp(table.number("afternoon").value_or(0), 0.0, kLongestPath));
        return out;
    }

    static std::string at(const std::string& where, const char* part) { return where + ", " + part; }

    const std::vector<TomlValue>& tables(const TableReader& table, const std::string& key, std::size_t most) const
    {
        const auto& items = TableReader::tables(table.find(key), key, table.where());
        if (items.size() > most)
            refuse(table.keyPosition(key), "There are too many of \"" + key + '"', table.where(),
                   "at most " + std::to_string(most) + " are read", "leave some out");
        return items;
    }

    std::string longText(const TableReader& table, const char* key) const { return table.text(key, {}, limits_.maxText); }

    std::vector<std::string> texts(const TableReader& table, const char* key, std::size_t most) const
    {
        std::vector<std::string> out;
        const TomlValue* value = table.find(key);
        if (!value)
            return out;
        if (value->kind != TomlKind::Array || value->items.size() > most)
            table.wrongKind(*value, key, "a list of at most " + std::to_string(most) + " texts");
        for (const TomlValue& item : value->items) {
            if (item.kind != TomlKind::String || item.text.size() > limits_.maxText)
                table.wrongKind(item, key, "a list of texts");
            out.push_back(item.text);
        }
        return out;
    }

    /// A table of names and numbers, such as set = { "bob.x" = 1.0 }.
    std::map<std::string, double> numbers(const TableReader& table, const char* key) const
    {
        std::map<std::string, double> out;
        const TomlValue* value = table.find(key);
        if (!value)
            return out;
        if (value->kind != TomlKind::Table || value->entries.size() > kMostNames)
            table.wrongKind(*value, key, "a table of names and numbers");
        for (const auto& entry : value->entries) {
            if (!entry.value.isNumber())
                refuse(entry.value.position, '"' + text::shortened(entry.key) + "\" must be a number", table.where(), "",
                       "quote names that have a dot");
            out[entry.key] = model::finiteNumber(entry.value, table.where());
        }
        return out;
    }

    std::map<std::string, std::string> words(const TableReader& table, const char* key) const
    {
        std::map<std::string, std::string> out;
        const TomlValue* value = table.find(key);
        if (!value)
            return out;
        if (value->kind != TomlKind::Table || value->entries.size() > kMostNames)
            table.wrongKind(*value, key, "a table of names and texts");
        for (const auto& entry : value->entries) {
            if (entry.value.kind != TomlKind::String)
                table.wrongKind(entry.value, entry.key, "a text in quotes");
            out[entry.key] = entry.value.text;
        }
        return out;
    }

    double time(const TableReader& table, const char* key, double fallback) const
    {
        const double t = table.number(key).value_or(fallback);
        if (t < 0 || t > budget::kLessonTime)
            refuse(table.find(key)->position, std::string("\"") + key + "\" is no time of a lesson", table.where(),
                   "a lesson lasts at most 10000 s", "write seconds");
        return t;
    }

    int runNumber(const TableReader& table) const
    {
        const double number = table.number("run").value_or(1);
        if (number < 1 || number > static_cast<double>(kMostRuns) || number != std::floor(number))
            refuse(table.keyPosition("run"), "\"run\" is the number of a run", table.where(), "runs are counted from 1 to 8",
                   "write run = 1");
        return static_cast<int>(number);
    }

    run::PivotChoice pivot(const TableReader& table) const
    {
        run::PivotChoice choice;
        const TomlValue* value = table.find("pivot");
        if (!value || (value->kind == TomlKind::String && value->text == "auto"))
            return choice;
        choice.automatic = false;
        choice.dummies = texts(table, "pivot", kMostNames);
        return choice;
    }

    run::RunSettings readRun(const TomlValue& value, const std::string& where) const
    {
        const TableReader table(value, value.position, where, run::settingNames(run::SettingScope::Bench));
        table.needText("formulation", "formulation = \"index-1\"");
        table.needText("integrator", "integrator = \"rk4\"");
        run::RunRequest request;
        for (const model::TomlEntry& key : value.entries)
            run::readSetting(key.key, key.value, request, where);
        auto settings = run::benchSettings(request);
        if (!settings)
            refuse(value.position, settings.error().what, where, settings.error().why, settings.error().remedy);
        return *std::move(settings);
    }

    Setup readSetup(const TomlValue& value, const SourcePosition& position, const std::string& where) const
    {
        const TableReader table(value, position, where,
                                {"model", "set", "allow_inconsistent", "run", "plots", "until", "speed", "play"});
        Setup setup;
        setup.position = position;
        setup.model = table.needText("model", "model = \"pendulum\"");
        setup.start.values = numbers(table, "set");
        setup.start.allowInconsistent = table.flag("allow_inconsistent", false);
        for (const TomlValue& run : tables(table, "run", kMostRuns))
            setup.runs.push_back(readRun(run, where + ", run " + std::to_string(setup.runs.size() + 1)));
        if (setup.runs.empty())
            refuse(position, "Nothing runs", where, "a bench has at least one run",
                   "write [[step.setup.run]] with formulation and integrator");
        if (const TomlValue* plots = table.find("plots")) {
            if (plots->kind != TomlKind::Array || plots->items.size() > kMostPlots)
                table.wrongKind(*plots, "plots", "a list of at most three plots");
            for (const TomlValue& plot : plots->items)
                setup.plots.push_back(readPlot(plot, at(where, "plots")));
        }
        setup.until = time(table, "until", 0);
        setup.speed = std::clamp(table.positiveNumber("speed").value_or(1), 0.01, 100.0);
        setup.play = table.flag("play", true);
        return setup;
    }

    PlotChoice readPlot(const TomlValue& value, const std::string& where) const
    {
        PlotChoice choice;
        std::string word = value.text;
        if (value.kind != TomlKind::String) {
            const TableReader table(value, value.position, where, {"kind", "of", "against"});
            word = table.needText("kind", "kind = \"curve\"");
            choice.of = table.text("of");
            choice.against = table.text("against");
        }
        const std::vector<run::PanelKind>& live = run::livePanels();
        const auto kind = run::findPanel(word);
        if (!kind || std::ranges::find(live, *kind) == live.end())
            checkKnown(word, run::panelWords(live), value.position, "plot", where);
        choice.kind = kind.value_or(run::PanelKind::Residuals);
        if ((choice.kind == run::PanelKind::Curve || choice.kind == run::PanelKind::Phase) && choice.of.empty())
            refuse(value.position, "The plot does not say of what", where, "", "{ kind = \"curve\", of = \"bob.x\" }");
        return choice;
    }

    /// A name that is no measure is taken for a column of the recording; reviewLesson looks for it.
    Measure readMeasure(const TableReader& table) const
    {
        Measure out;
        const std::string written = table.needText("measure", "measure = \"residual.position\"");
        out.what = measure::asWritten(written, table.find("measure")->position, measure::Place::Lesson);
        if (const auto sound = measure::checkMeasure(out.what, measure::Place::Lesson); !sound)
            refuse(sound.error().position, sound.error().what, table.where() + ", " + sound.error().where, sound.error().why,
                   sound.error().remedy);
        out.run = runNumber(table);
        if (table.find("at"))
            out.at = time(table, "at", 0);
        return out;
    }

    std::optional<Measure> readOver(const TableReader& table) const
    {
        const TomlValue* value = table.find("over");
        if (!value)
            return {};
        return readMeasure(TableReader(*value, value->position, table.where() + ", over", {"measure", "run", "at"}));
    }

    Check readCheck(const TomlValue& value, const std::string& where) const
    {
        const TableReader table(value, value.position, where, {"measure", "run", "at", "over", "is", "below", "above"});
        Check check{readMeasure(table), readOver(table), {}, table.number("below"), table.number("above")};
        if (const TomlValue* is = table.find("is"); is && is->kind == TomlKind::Array)
            for (const TomlValue& word : is->items) {
                if (word.kind != TomlKind::String)
                    table.wrongKind(word, "is", "a text, or a list of texts");
                check.is.push_back(word.text);
            }
        else if (is)
            check.is.push_back(table.text("is"));
        const bool text = measure::isWord(check.measure.what.text);
        if (text == check.is.empty() || text == (check.below || check.above))
            refuse(value.position, "The check cannot be decided", where,
                   text ? "this measure is a word" : "this measure is a number",
                   text ? "write is = \"...\"" : "write below or above");
        return check;
    }

    void readOptions(const TableReader& table, Question& question) const
    {
        const std::string& where = table.where();
        for (const TomlValue& value : tables(table, "options", kMostOptions)) {
            const TableReader row(value, value.position, at(where, "options"), {"text", "right", "hint"});
            Option option{row.text("text", {}, limits_.maxText), row.flag("right", false),
                          row.text("hint", {}, limits_.maxText)};
            if (option.text.empty())
                refuse(value.position, "An option has no text", where, "", "{ text = \"...\", hint = \"...\" }");
            if (!option.right && option.hint.empty())
                refuse(value.position, "A wrong option has no hint", where, "who chooses it is to learn something",
                       "hint = \"...\"");
            question.options.push_back(std::move(option));
        }
        if (question.options.size() < 2 || std::ranges::count(question.options, true, &Option::right) != 1)
            refuse(table.position(), "A choice needs at least two options, one of them right", where, "",
                   "{ text = \"...\", right = true }");
    }

    Question readQuestion(const TomlValue& value, const SourcePosition& position, const std::string& where) const
    {
        const TableReader table(value, position, where,
                                {"kind", "text", "options", "measure", "run", "at", "over", "absolute", "relative", "reason",
                                 "unit", "check", "hints", "explanation"});
        Question question;
        question.position = position;
        const std::vector<std::string> kinds{"choice", "number", "action"};
        const std::string kind = table.needText("kind", "kind = \"choice\"");
        checkKnown(kind, kinds, table.find("kind")->position, "kind of question", where);
        question.kind = static_cast<Question::Kind>(std::ranges::find(kinds, kind) - kinds.begin());
        question.text = longText(table, "text");
        question.hints = texts(table, "hints", kMostHints);
        question.explanation = longText(table, "explanation");
        if (question.kind == Question::Kind::Choice) {
            readOptions(table, question);
        } else if (question.kind == Question::Kind::Number) {
            question.measure = readMeasure(table);
            question.over = readOver(table);
            question.absolute = table.positiveNumber("absolute").value_or(0);
            question.relative = table.positiveNumber("relative").value_or(0);
            question.reason = longText(table, "reason");
            question.unit = table.text("unit");
            if (measure::isWord(question.measure.what.text) || (question.absolute == 0 && question.relative == 0))
                refuse(position, "The answer cannot be judged", where, "a number needs a measure and a tolerance",
                       "relative = 0.05");
        } else {
            for (const TomlValue& check : tables(table, "check", kMostChecks))
                question.checks.push_back(readCheck(check, at(where, "check")));
            if (question.checks.empty())
                refuse(position, "The action is not checked", where, "", "write [[step.question.check]] with a measure");
        }
        if (question.text.empty() && question.kind != Question::Kind::Action)
            refuse(position, "The question has no text", where, "", "text = \"...\"");
        const std::size_t least = question.kind == Question::Kind::Choice ? 1 : 2;
        if (question.hints.size() < least)
            refuse(position, "The question has too few hints", where,
                   "a second wrong answer is to get a stronger hint than the first",
                   least == 1 ? "hints = [\"...\"]" : "hints = [\"...\", \"...\"]");
        return question;
    }

    Action readAction(const TomlValue& value, const std::string& where) const
    {
        const TableReader table(value, value.position, where,
                                {"run", "add", "start", "reset", "parameters", "formulation", "integrator", "options", "gains",
                                 "step", "tolerance", "pivot", "until"});
        Action action;
        action.run = runNumber(table);
        if (const TomlValue* add = table.find("add"))
            action.add = readRun(*add, at(where, "add"));
        action.start = numbers(table, "start");
        action.reset = table.flag("reset", false);
        action.parameters = numbers(table, "parameters");
        if (table.find("formulation")) {
            action.formulation = table.text("formulation");
            checkKnown(*action.formulation, run::formulationNames(), table.find("formulation")->position, "formulation", where);
        }
        if (table.find("integrator")) {
            action.integrator = table.text("integrator");
            checkKnown(*action.integrator, run::integratorNames(), table.find("integrator")->position, "integrator", where);
        }
        action.choices = words(table, "options");
        action.gains = numbers(table, "gains");
        action.step = table.positiveNumber("step");
        action.tolerance = table.positiveNumber("tolerance");
        if (table.find("pivot"))
            action.pivot = pivot(table);
        if (table.find("until"))
            action.until = time(table, "until", 0);
        return action;
    }

    /// One key of vary = { step = [0.1, 0.05] }: a variation for each value, on top of those there are.
    static std::vector<Variation> spread(const std::vector<Variation>& from, const model::TomlEntry& key,
                                         const std::string& where)
    {
        if (key.value.kind != TomlKind::Array || key.value.items.empty() || key.value.items.size() > kMostNames)
            refuse(key.value.position, '"' + text::shortened(key.key) + "\" must be a list of numbers", where, "",
                   "vary = { step = [0.1, 0.05] }");
        std::vector<Variation> out;
        for (const Variation& start : from)
            for (const TomlValue& item : key.value.items) {
                Variation next = start;
                if (!item.isNumber() || !run::readVariedSetting(key.key, item, next.change, where))
                    refuse(item.position, '"' + text::shortened(key.key) + "\" cannot be varied by this", where, "",
                           "vary = { step = [0.1, 0.05] }");
                next.variables[key.key.substr(key.key.find_last_of('.') + 1)] = item.number;
                out.push_back(std::move(next));
            }
        return out;
    }

    StepClaim readClaim(const TomlValue& value, const std::string& where) const
    {
        model::KeyList keys = study::relationKeys();
        keys.insert(keys.end(), {"sentence", "run", "at", "with", "vary", "event"});
        const TableReader table(value, value.position, where, keys);
        StepClaim out;
        out.claim.position = value.position;
        out.claim.sentence = table.text("sentence", {}, limits_.maxText);
        if (out.claim.sentence.empty())
            refuse(value.position, "The claim belongs to no sentence", where, "",
                   "sentence = \"a part of the text, as it is written there\"");
        out.claim.text = out.claim.sentence;
        study::readRelation(table, out.claim);
        out.run = runNumber(table);
        if (table.find("at"))
            out.at = time(table, "at", 0);
        if (const TomlValue* with = table.find("with")) {
            if (with->kind != TomlKind::Table)
                table.wrongKind(*with, "with", "a table such as { step = 0.05 }");
            for (const auto& entry : with->entries)
                if (!run::readSetting(entry.key, entry.value, out.change, where))
                    refuse(entry.position, "A run has no \"" + text::shortened(entry.key) + '"', where, "",
                           "with = { step = 0.05 }");
            out.changes = true;
        }
        if (const TomlValue* vary = table.find("vary")) {
            if (vary->kind != TomlKind::Table || vary->entries.empty())
                table.wrongKind(*vary, "vary", "a table such as { step = [0.1, 0.05] }");
            out.variations.emplace_back();
            for (const auto& entry : vary->entries)
                out.variations = spread(out.variations, entry, where);
        }
        for (const TomlValue& event : tables(table, "event", kMostActions))
            out.events.push_back(study::readEvent(event, where));
        return out;
    }

    Step readStep(const TomlValue& value, std::size_t place) const
    {
        const std::string where = "step " + std::to_string(place + 1);
        const TableReader table(
            value, value.position, where,
            {"title", "text", "task", "setup", "question", "show", "exercise", "claim", "citation", "exempt"});
        Step step;
        step.position = value.position;
        step.title = table.needText("title", "title = \"Watch it drift\"");
        step.text = longText(table, "text");
        step.task = longText(table, "task");
        step.exercise = table.flag("exercise", false);
        if (const TomlValue* setup = table.find("setup"))
            step.setup = readSetup(*setup, table.keyPosition("setup"), at(where, "setup"));
        if (const TomlValue* question = table.find("question"))
            step.question = readQuestion(*question, table.keyPosition("question"), at(where, "question"));
        for (const TomlValue& action : tables(table, "show", kMostActions))
            step.show.push_back(readAction(action, at(where, "show")));
        const auto numbered = [&](const char* what, std::size_t count) {
            return where + ", " + what + " " + std::to_string(count + 1);
        };
        for (const TomlValue& claim : tables(table, "claim", kMostClaims))
            step.claims.push_back(readClaim(claim, numbered("claim", step.claims.size())));
        for (const TomlValue& citation : tables(table, "citation", kMostClaims))
            step.citations.push_back(study::readCitation(citation, numbered("citation", step.citations.size())));
        for (const TomlValue& exempt : tables(table, "exempt", kMostClaims))
            step.exemptions.push_back(study::readExemption(exempt, numbered("exempt", step.exemptions.size())));
        if (step.question && step.question->kind == Question::Kind::Action && step.show.empty())
            refuse(value.position, "Nothing can be shown", where, "an action that is asked for has to be possible",
                   "write [[step.show]]");
        return step;
    }

    std::string file_;
    ReadLimits limits_;
};

} // namespace

Result<Lesson> readLesson(std::string_view text, const std::string& file, const ReadLimits& limits)
{
    if (text.size() > limits.maxBytes)
        return Diagnostic{.what = "The lesson is too large",
                          .why = "at most " + std::to_string(limits.maxBytes) + " bytes are read",
                          .remedy = "split it into several lessons",
                          .position = {.file = file}};
    const auto root = model::parseToml(text, file);
    if (!root)
        return root.error();
    try {
        Lesson lesson = LessonReader(file, limits).read(*root);
        lesson.path = file;
        if (auto sound = checkLesson(lesson); !sound)
            return sound.error();
        return lesson;
    } catch (const model::ReadError& error) {
        return error.diagnostic;
    }
}

} // namespace driftless::lesson
