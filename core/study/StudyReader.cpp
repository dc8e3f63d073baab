// Study files: TOML to Study. The first defect ends the reading with its place.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/measure/Check.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/PanelKind.h"
#include "core/run/SettingKeys.h"
#include "core/run/TableauFile.h"
#include "core/study/ClaimReader.h"
#include "core/study/EventReader.h"
#include "core/study/Study.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/TableReader.h"

namespace driftless::study {

namespace {

using model::KeyList;
using model::kindInWords;
using model::ReadError;
using model::refuse;
using model::TableReader;
using model::TomlEntry;
using model::TomlKind;
using model::TomlValue;
using text::shortened;

constexpr double kMostPictures = 60;

const KeyList& runKeys()
{
    static const KeyList keys = [] {
        KeyList all = run::settingNames(run::SettingScope::Run);
        all.insert(all.end(),
                   {"name", "label", "family", "vary", "event", "expect", "ends_exactly", "steps", "variables", "data"});
        return all;
    }();
    return keys;
}

/// What a run has beside its settings. Settings are laid over the defaults one by one, down to single parameters.
const KeyList& ownKeys()
{
    static const KeyList keys{"label", "family", "vary", "event", "expect", "ends_exactly", "steps"};
    return keys;
}

/// The entry of a run with what [default] says and it does not. Measured data is not integrated: it takes a label and a family.
TomlValue withDefaults(const TomlValue& entry, const TomlValue* defaults)
{
    TomlValue out = entry;
    if (!defaults)
        return out;
    for (const TomlEntry& key : defaults->entries) {
        const bool own = std::find(ownKeys().begin(), ownKeys().end(), key.key) != ownKeys().end();
        const bool measured = entry.find("data") && key.key != "label" && key.key != "family";
        const bool limited = key.key == "steps" && entry.find("end"); // the one or the other says where it ends
        if (own && !measured && !limited && !entry.find(key.key))
            out.entries.push_back(key);
    }
    return out;
}

/// What every run may share.
void checkDefaults(const TomlValue& defaults)
{
    const TableReader table(defaults, defaults.position, "[default]", runKeys());
    for (const char* key : {"name", "data"})
        if (table.find(key))
            refuse(table.keyPosition(key), std::string("\"") + key + "\" belongs to one run", table.where(),
                   "the defaults hold for all of them", "write it under its [[run]]");
}

std::vector<std::string> textList(const TableReader& table, const std::string& key)
{
    std::vector<std::string> out;
    const TomlValue* value = table.find(key);
    if (!value)
        return out;
    if (value->kind == TomlKind::String)
        return {value->text};
    if (value->kind != TomlKind::Array)
        table.wrongKind(*value, key, "a list of texts");
    for (const TomlValue& item : value->items) {
        if (item.kind != TomlKind::String)
            table.wrongKind(item, key, "a list of texts");
        out.push_back(item.text);
    }
    return out;
}

/// Runs by name or family; none: all of them, which an empty list does not say.
std::vector<std::string> runNames(const TableReader& table)
{
    std::vector<std::string> out = textList(table, "runs");
    if (out.empty() && table.find("runs"))
        refuse(table.keyPosition("runs"), "\"runs\" is empty", table.where(), "nothing would be shown or decided",
               "leave it out for all runs, or name some");
    return out;
}

const std::vector<TomlValue>& listOf(const TableReader& table, const std::string& key)
{
    const auto& items = TableReader::tables(table.find(key), key, table.where());
    if (items.size() > budget::kStudyEntries)
        refuse(table.keyPosition(key), "There are too many [[" + key + "]]", table.where(),
               "at most " + std::to_string(budget::kStudyEntries) + " are read", "split the study");
    return items;
}

/// Names of files come from names of runs, tables and figures.
std::string fileName(const TableReader& table, const std::string& fallback)
{
    const std::string name = table.text("name", fallback, 100);
    const bool good = !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '=';
    });
    if (!good)
        refuse(table.keyPosition("name"), '"' + shortened(name) + "\" is no name here", table.where(),
               "a file is named after it: letters, digits, - _ . and =", "choose another name");
    return name;
}

std::string safePart(std::string text)
{
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.' && c != '=')
            c = '-';
    return text;
}

/// The runs that one [[run]] stands for: the product of the lists in `vary`.
class Spread {
public:
    Spread(const TomlValue& entry, const TomlValue* defaults, std::size_t index, const StudyLimits& limits)
        : entry_(withDefaults(entry, defaults)), table_(entry_, entry.position, "run " + std::to_string(index + 1), runKeys()),
          limits_(limits)
    {
        const std::string name = fileName(table_, "run-" + std::to_string(index + 1));
        base_.name = name;
        base_.family = table_.text("family", name, 100);
        base_.label = table_.text("label", name, 200);
        base_.position = entry.position;
        if (defaults)
            for (const TomlEntry& key : defaults->entries)
                run::readSetting(key.key, key.value, base_.request, "[default]");
        for (const TomlEntry& key : entry.entries)
            run::readSetting(key.key, key.value, base_.request, "run " + name);
        base_.endsExactly = table_.flag("ends_exactly", true);
        if (const auto steps = table_.positiveNumber("steps")) {
            if (*steps != std::floor(*steps) || *steps > static_cast<double>(budget::kSteps))
                refuse(table_.keyPosition("steps"), "\"steps\" must be a whole number up to 1e9", table_.where());
            base_.steps = static_cast<std::uint64_t>(*steps);
        }
        readData();
        base_.expected = fate();
        if (defaults)
            readVariables(defaults->find("variables"));
        readVariables(entry.find("variables"));
        for (const TomlValue& event : TableReader::tables(table_.find("event"), "event", table_.where()))
            base_.events.push_back(readEvent(event, "run " + name));
        const auto inOrder = [](const StudyEvent& a, const StudyEvent& b) { return a.t < b.t; };
        if (std::none_of(base_.events.begin(), base_.events.end(),
                         [](const StudyEvent& e) { return e.afterSteps.has_value(); }))
            std::stable_sort(base_.events.begin(), base_.events.end(),
                             inOrder); // recorded ones stand in the order they happened
    }

    /// Nothing is integrated: what only a run has would be lost.
    void readData()
    {
        base_.data = table_.text("data", {}, 200);
        if (base_.data.empty())
            return;
        for (const char* key :
             {"vary", "event", "expect", "steps", "ends_exactly", "formulation", "integrator", "step", "rtol", "atol", "end"})
            if (table_.find(key))
                refuse(table_.keyPosition(key), std::string("\"") + key + "\" has no effect beside \"data\"", table_.where(),
                       "measured data is not integrated", "leave it out");
    }

    std::vector<PlannedRun> runs()
    {
        std::vector<PlannedRun> out{base_};
        const TomlValue* vary = table_.find("vary");
        if (!vary)
            return out;
        if (vary->kind != TomlKind::Table)
            table_.wrongKind(*vary, "vary", "a table such as { step = [0.1, 0.05] }");
        for (const TomlEntry& key : vary->entries) {
            if (key.value.kind != TomlKind::Array || key.value.items.empty())
                refuse(key.value.position, "\"" + shortened(key.key) + "\" must be a list of values", table_.where(), "",
                       "vary = { step = [0.1, 0.05] }");
            if (out.size() * key.value.items.size() > limits_.maxRuns)
                refuse(key.position, "The sweep has too many runs", table_.where(),
                       "at most " + std::to_string(limits_.maxRuns) + " are made", "vary less");
            std::vector<PlannedRun> wider;
            for (const PlannedRun& run : out)
                for (const TomlValue& value : key.value.items)
                    wider.push_back(varied(run, key.key, value));
            out = std::move(wider);
        }
        return out;
    }

private:
    Fate fate() const
    {
        const std::string text = table_.text("expect", "completed");
        for (const Fate f : {Fate::Completed, Fate::Failed, Fate::Refused})
            if (text == fateName(f))
                return f;
        refuse(table_.keyPosition("expect"), '"' + shortened(text) + "\" is no outcome", table_.where(),
               "a run is completed, failed or refused");
    }

    void readVariables(const TomlEntry* key)
    {
        if (!key)
            return;
        if (key->value.kind != TomlKind::Table)
            table_.wrongKind(key->value, "variables", "a table of numbers");
        for (const TomlEntry& entry : key->value.entries) {
            if (!entry.value.isNumber())
                table_.wrongKind(entry.value, "variables", "a table of numbers");
            base_.variables[entry.key] = model::finiteNumber(entry.value, table_.where());
        }
    }

    PlannedRun varied(PlannedRun run, const std::string& key, const TomlValue& value) const
    {
        if (!run::readVariedSetting(key, value, run.request, table_.where()))
            refuse(value.position, "\"" + shortened(key) + "\" cannot be varied", table_.where(), "",
                   "step, tol, formulation, integrator, end, model, pivot, \"set.NAME\", \"gains.NAME\" or \"options.NAME\"");
        const std::string last = key.substr(key.find_last_of('.') + 1);
        if (value.isNumber()) {
            run.variables[last] = value.number;
            run.name += "-" + safePart(last) + "=" + text::exact(value.number);
            run.label += ", " + last + " = " + text::exact(value.number);
        } else {
            const std::string text = value.kind == TomlKind::String ? value.text : key;
            run.name += "-" + safePart(text);
            run.family += "-" + safePart(text);
            run.label += ", " + text;
        }
        return run;
    }

    const TomlValue entry_; ///< what table_ reads
    TableReader table_;
    const StudyLimits& limits_;
    PlannedRun base_;
};

measure::MeasureText measureText(const TableReader& table, const std::string& key)
{
    const TomlValue* value = table.find(key);
    if (!value)
        return {};
    return measure::asWritten(table.text(key, {}, budget::kMeasureLength), value->textPosition, measure::Place::Study);
}

StudyTable readTable(const TomlValue& entry, std::size_t index)
{
    const std::string fallback = "table-" + std::to_string(index + 1);
    const TableReader table(entry, entry.position, fallback, {"name", "title", "runs", "column"});
    StudyTable out;
    out.name = fileName(table, fallback);
    out.title = table.text("title", out.name, budget::kMeasureLength);
    out.runs = runNames(table);
    for (const TomlValue& item : listOf(table, "column")) {
        const TableReader column(item, item.position, out.name + ", column", {"title", "measure", "given", "digits"});
        TableColumn c;
        c.measure = measureText(column, "measure");
        if (const auto sound =
                c.measure.text.empty() ? Result<void>() : measure::checkMeasure(c.measure, measure::Place::Study);
            !sound)
            throw ReadError{sound.error()};
        c.title = column.text("title", c.measure.before.empty() ? c.measure.text : c.measure.before);
        c.digits = static_cast<int>(std::clamp(column.positiveNumber("digits").value_or(3), 1.0, 17.0));
        if (const TomlValue* given = column.find("given")) {
            if (given->kind != TomlKind::Array)
                column.wrongKind(*given, "given", "a list of numbers and texts");
            for (const TomlValue& value : given->items)
                c.given.push_back(asWord(value, column, "given", "a list of numbers and texts"));
        }
        if (c.measure.text.empty() == c.given.empty())
            refuse(item.position, "A column has either a measure or given values", column.where(), "", "measure = \"steps\"");
        out.columns.push_back(std::move(c));
    }
    return out;
}

Claim readClaim(const TomlValue& entry, std::size_t index)
{
    KeyList keys = relationKeys();
    keys.insert(keys.end(), {"text", "sentence", "runs"});
    const TableReader table(entry, entry.position, "claim " + std::to_string(index + 1), keys);
    Claim out;
    out.position = entry.position;
    out.text = table.text("text", {}, budget::kMeasureLength);
    if (out.text.empty())
        refuse(entry.position, "A claim needs a text", table.where(), "",
               "text = \"the rod keeps its length\", measure = \"max_residual.position\", below = 1e-9");
    out.sentence = table.text("sentence", {}, budget::kMeasureLength);
    out.runs = runNames(table);
    readRelation(table, out);
    return out;
}

/// In today's word.
std::string panelKind(const TableReader& table)
{
    const std::string word = table.text("kind", "residuals");
    if (const auto kind = run::findPanel(word))
        return std::string(run::panelWord(*kind));
    const std::vector<std::string> known = run::panelWords(run::studyPanels());
    const std::string near = text::nearestName(word, known);
    refuse(table.keyPosition("kind"), '"' + shortened(word) + "\" is no kind of panel", table.where(),
           "known are " + text::firstOf(known), near.empty() ? "" : "did you mean \"" + near + "\"?");
}

void checkPanel(const StudyPanel& panel, const TableReader& table)
{
    if ((panel.kind == "curve" || panel.kind == "scatter" || panel.kind == "phase") && panel.y.empty())
        refuse(panel.position, "The panel needs \"y\"", table.where(), "",
               panel.kind == "scatter" ? "y = \"error(reference)\"" : "y = \"bob.x\"");
    if ((panel.kind == "scatter" || panel.kind == "phase") && panel.x.empty())
        refuse(panel.position, "The panel needs \"x\"", table.where(), "",
               panel.kind == "scatter" ? "x = \"step\"" : "x = \"bob.x\"");
    if (panel.kind == "difference" && panel.against.empty())
        refuse(panel.position, "The panel needs \"against\"", table.where(), "it shows differences from one run",
               "against = \"reference\"");
}

StudyPanel readPanel(const TomlValue& entry, const std::string& figure)
{
    const TableReader table(entry, entry.position, "panel of " + figure,
                            {"kind", "title", "x", "y", "x_title", "y_title", "x_log", "y_log", "from", "to", "low", "high",
                             "runs", "against", "guide", "count"});
    StudyPanel out;
    out.position = entry.position;
    out.kind = panelKind(table);
    out.title = table.text("title");
    out.x = table.text("x", {}, budget::kMeasureLength);
    out.y = table.text("y", {}, budget::kMeasureLength);
    out.xTitle = table.text("x_title");
    out.yTitle = table.text("y_title");
    if (table.find("x_log"))
        out.logX = table.flag("x_log", false);
    if (table.find("y_log"))
        out.logY = table.flag("y_log", false);
    out.from = table.number("from");
    out.to = table.number("to");
    out.low = table.number("low");
    out.high = table.number("high");
    out.runs = runNames(table);
    out.against = table.text("against");
    const double count = table.positiveNumber("count").value_or(out.count);
    if (count != std::floor(count) || count < 2 || count > kMostPictures)
        refuse(table.keyPosition("count"), "\"count\" is a whole number from 2 to 60", table.where(),
               "so many pictures of a strobe can be told apart", "count = 9");
    out.count = static_cast<int>(count);
    for (const TomlValue& item : listOf(table, "guide")) {
        const TableReader guide(item, item.position, "guide", {"slope", "label"});
        Guide g;
        g.slope = guide.number("slope").value_or(1);
        g.label = guide.text("label", "slope " + text::exact(g.slope));
        out.guides.push_back(g);
    }
    checkPanel(out, table);
    return out;
}

std::string oneOf(const TableReader& table, const std::string& key, const std::string& fallback, const KeyList& known)
{
    const std::string value = table.text(key, fallback);
    if (std::find(known.begin(), known.end(), value) == known.end())
        refuse(table.keyPosition(key), '"' + shortened(value) + "\" is not known here", table.where(),
               "known are " + text::firstOf(known));
    return value;
}

StudyFigure readFigure(const TomlValue& entry, std::size_t index)
{
    const std::string fallback = "figure-" + std::to_string(index + 1);
    const TableReader table(entry, entry.position, fallback,
                            {"name", "title", "caption", "size", "font", "columns", "runs", "panel"});
    StudyFigure out;
    out.name = fileName(table, fallback);
    out.title = table.text("title", {}, budget::kMeasureLength);
    out.caption = table.text("caption", {}, budget::kTextBytes);
    out.size = oneOf(table, "size", "page", {"column", "page", "slide"});
    out.font = oneOf(table, "font", "serif", {"serif", "sans"});
    out.columns = static_cast<int>(std::clamp(table.number("columns").value_or(0), 0.0, 6.0));
    out.runs = runNames(table);
    for (const TomlValue& item : listOf(table, "panel"))
        out.panels.push_back(readPanel(item, out.name));
    if (out.panels.empty())
        refuse(entry.position, "The figure has no panel", table.where(), "", "[[figure.panel]] with kind = \"residuals\"");
    return out;
}

template <class T>
void requireUnique(const std::vector<T>& items, const std::string& what, const std::string& file)
{
    std::vector<std::string> names;
    for (const T& item : items)
        names.push_back(item.name);
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
        refuse({file, 1, 1}, "Two " + what + " are named \"" + *twice + "\"", "", "files are named after them",
               "name one of them differently");
}

void checkNames(const Study& study, const std::string& file)
{
    requireUnique(study.runs, "runs", file);
    requireUnique(study.tables, "tables", file);
    requireUnique(study.figures, "figures", file);
    const auto check = [&](const std::vector<std::string>& names, const SourcePosition& place) {
        if (const auto known = selectRuns(study, names); !known) {
            Diagnostic d = known.error();
            d.position = place;
            throw ReadError{d};
        }
    };
    for (const StudyTable& table : study.tables) {
        check(table.runs, {file, 1, 1});
        const auto rows = selectRuns(study, table.runs);
        for (const TableColumn& column : table.columns)
            if (!column.given.empty() && column.given.size() != rows->size())
                refuse({file, 1, 1},
                       "The column \"" + column.title + "\" of " + table.name + " has " + std::to_string(column.given.size())
                           + " given values",
                       "", "the table has " + std::to_string(rows->size()) + " rows", "give one value per run");
    }
    for (const Claim& claim : study.claims)
        check(claim.runs, claim.position);
    for (const StudyFigure& figure : study.figures) {
        check(figure.runs, {file, 1, 1});
        for (const StudyPanel& panel : figure.panels) {
            check(panel.runs, panel.position);
            if (!panel.against.empty())
                check({panel.against}, panel.position);
        }
    }
}

/// A claim, a citation or an exemption belongs to a sentence that is there. The text of a claim is what the claim itself
/// decides: a source or a reason may belong to it, and no claim proves its sentence by stating it.
void checkSentences(const Study& study)
{
    std::vector<std::string> texts{study.title, study.summary};
    for (const StudyTable& table : study.tables)
        texts.push_back(table.title);
    for (const StudyFigure& figure : study.figures)
        texts.insert(texts.end(), {figure.title, figure.caption});
    const auto check = [&texts](const std::string& sentence, const SourcePosition& position, const char* where) {
        if (!sentence.empty() && !hasSentence(texts, sentence))
            refuse(position, "No text of the study has the sentence \"" + shortened(sentence) + '"', "",
                   std::string("it has to be a part of ") + where + ", as it is written there", "copy it from the text");
    };
    for (const Claim& claim : study.claims)
        check(claim.sentence, claim.position, "the title, the summary, a title or a caption");
    for (const Claim& claim : study.claims)
        texts.push_back(claim.text);
    for (const Citation& citation : study.citations)
        check(citation.sentence, citation.position, "the title, the summary, a title, a caption or a claim's text");
    for (const Exemption& exemption : study.exemptions)
        check(exemption.sentence, exemption.position, "the title, the summary, a title, a caption or a claim's text");
}

Study read(std::string_view text, const std::string& file, const StudyLimits& limits)
{
    model::TomlLimits toml;
    toml.maxItems = limits.maxEvents;
    auto parsed = model::parseToml(text, file, toml);
    if (!parsed)
        throw ReadError{parsed.error()};
    const TableReader table(*parsed, {file, 1, 1}, "study file",
                            {"format", "title", "source", "summary", "model_text", "tableaus", "record", "default", "run",
                             "table", "claim", "citation", "exempt", "figure"});
    if (const auto format = table.number("format").value_or(1); format != 1)
        refuse(table.keyPosition("format"), "The format of this study is not known", "study file",
               "this program reads format 1", "open it with a newer version");
    Study out;
    out.id = std::filesystem::path(file).stem().string();
    out.path = file;
    out.text = std::string(text);
    out.title = table.text("title", out.id);
    out.source = table.text("source", {}, 1'000);
    out.summary = table.text("summary", {}, budget::kTextBytes);
    out.modelText = table.text("model_text", {}, model::ReadLimits{}.maxBytes);
    if (const auto record = table.positiveNumber("record"))
        out.record = static_cast<std::uint64_t>(std::clamp(*record, 2.0, 10'000'000.0));
    for (const std::string& tableau : textList(table, "tableaus"))
        if (const auto method = run::addTableau(tableau, file); !method)
            throw ReadError{method.error()};
    const TomlValue* defaults = table.find("default");
    if (defaults)
        checkDefaults(*defaults);
    const auto& entries = TableReader::tables(table.find("run"), "run", "study file");
    if (entries.empty())
        refuse({file, 1, 1}, "The study has no run", "", "", "[[run]] with a formulation and an integrator");
    std::size_t events = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto runs = Spread(entries[i], defaults, i, limits).runs();
        events += runs.front().events.size() * runs.size();
        if (out.runs.size() + runs.size() > limits.maxRuns || events > limits.maxEvents)
            refuse(entries[i].position, "The study is too large", "",
                   "at most " + std::to_string(limits.maxRuns) + " runs and " + std::to_string(limits.maxEvents)
                       + " events are read",
                   "split it");
        std::move(runs.begin(), runs.end(), std::back_inserter(out.runs));
    }
    for (const PlannedRun& run : out.runs)
        if (run.request.model.empty() && out.modelText.empty())
            refuse(run.position, "The run names no model", "run " + run.name, "", "model = \"pendulum\" here or in [default]");
    for (const TomlValue& entry : listOf(table, "table"))
        out.tables.push_back(readTable(entry, out.tables.size()));
    for (const TomlValue& entry : listOf(table, "claim"))
        out.claims.push_back(readClaim(entry, out.claims.size()));
    for (const TomlValue& entry : listOf(table, "citation"))
        out.citations.push_back(readCitation(entry, "citation " + std::to_string(out.citations.size() + 1)));
    for (const TomlValue& entry : listOf(table, "exempt"))
        out.exemptions.push_back(readExemption(entry, "exempt " + std::to_string(out.exemptions.size() + 1)));
    for (const TomlValue& entry : listOf(table, "figure"))
        out.figures.push_back(readFigure(entry, out.figures.size()));
    checkNames(out, file);
    checkSentences(out);
    return out;
}

} // namespace

const char* fateName(Fate fate)
{
    switch (fate) {
    case Fate::Completed:
        return "completed";
    case Fate::Failed:
        return "failed";
    case Fate::Refused:
        break;
    }
    return "refused";
}

Result<Study> readStudy(std::string_view text, const std::string& file, const StudyLimits& limits)
{
    if (text.size() > limits.maxBytes)
        return Diagnostic{.what = "The file is too large",
                          .why = "at most " + std::to_string(limits.maxBytes) + " bytes are read",
                          .remedy = "split the study",
                          .position = {.file = file}};
    try {
        return read(text, file, limits);
    } catch (ReadError& error) {
        if (error.diagnostic.position.file.empty())
            error.diagnostic.position.file = file;
        return std::move(error.diagnostic);
    } catch (const std::bad_alloc&) {
        return Diagnostic{.what = "The study needs too much memory", .remedy = "make it smaller", .position = {.file = file}};
    } catch (const std::exception& error) {
        return Diagnostic{.what = "The study cannot be read", .why = error.what(), .position = {.file = file}};
    }
}

Result<std::vector<std::size_t>> selectRuns(const Study& study, const std::vector<std::string>& names)
{
    std::vector<bool> wanted(study.runs.size(), names.empty());
    for (const std::string& name : names) {
        bool found = false;
        for (std::size_t i = 0; i < study.runs.size(); ++i)
            if (study.runs[i].name == name || study.runs[i].family == name)
                wanted[i] = found = true;
        if (found)
            continue;
        std::vector<std::string> known;
        for (const PlannedRun& run : study.runs)
            if (std::find(known.begin(), known.end(), run.family) == known.end())
                known.push_back(run.family);
        std::string near = text::nearestName(name, known);
        if (near.empty()) {
            std::vector<std::string> all;
            for (const PlannedRun& run : study.runs)
                all.push_back(run.name);
            near = text::nearestName(name, all);
        }
        return Diagnostic{.what = "There is no run \"" + shortened(name) + "\"",
                          .why = "the study has " + text::firstOf(known),
                          .remedy = near.empty() ? "" : "did you mean \"" + near + "\"?"};
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i])
            out.push_back(i);
    return out;
}

} // namespace driftless::study
