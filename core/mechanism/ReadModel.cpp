#include <cmath>
#include <filesystem>
#include <new>
#include <unordered_set>

#include "core/expr/Size.h"
#include "core/mechanism/GeneralReader.h"
#include "core/mechanism/MechanismReader.h"
#include "core/mechanism/OutputReader.h"
#include "core/mechanism/ReadModel.h"
#include "core/mechanism/Repeat.h"
#include "core/system/ConstraintRows.h"
#include "core/system/DependentRows.h"
#include "core/system/Misfit.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/TableReader.h"

namespace driftless::model {

namespace {

constexpr int kNewestFormat = 1;

int readFormat(const TomlValue& root)
{
    const TomlEntry* entry = root.find("format");
    if (!entry && root.find("E") && root.find("A"))
        refuse({root.position.file, 1, 1}, "This is a linear DAE, E x' = A x + f, and no model", "",
               "it has the matrices E and A and no key \"format\"",
               "driftless pencil FILE, or paste it into the laboratory of linear DAEs (Ctrl+L)");
    if (!entry)
        refuse({root.position.file, 1, 1}, "The key \"format\" is missing", "",
               "it says which version of the format the file follows", "write format = 1 at the top");
    if (entry->value.kind != TomlKind::Integer)
        refuse(entry->value.position, "\"format\" must be a whole number", "", "found " + kindInWords(entry->value.kind),
               "write format = 1");
    if (entry->value.number > kNewestFormat)
        refuse(entry->value.position, "The file has a newer format", "", "this version reads format 1", "update the program");
    if (entry->value.number < 1)
        refuse(entry->value.position, "There is no such format", "", "formats count from 1", "write format = 1");
    return static_cast<int>(entry->value.number);
}

/// The form and the method that the table states, in place of those in `pair`.
void readMethods(const TableReader& table, MethodPair& pair)
{
    pair.formulation = table.text("formulation", pair.formulation);
    pair.integrator = table.text("integrator", pair.integrator);
    for (const std::string key : {"formulation", "integrator"})
        if (table.find(key))
            try {
                checkName(table.text(key), table.find(key)->position, key, true);
            } catch (ReadError& error) {
                error.diagnostic.remedy = "an id of the command driftless list " + key + "s";
                throw;
            }
}

RunDefaults readRun(const TomlEntry* entry)
{
    RunDefaults out;
    if (!entry)
        return out;
    const TableReader table(
        entry->value, entry->position, "run",
        {"formulation", "integrator", "command", "step", "rtol", "atol", "atol_multipliers", "max_step", "end"});
    MethodPair stated{out.formulation, out.integrator};
    readMethods(table, stated);
    out.formulation = stated.formulation;
    out.integrator = stated.integrator;
    if (table.find("formulation") || table.find("integrator"))
        out.command.reset();
    if (const TomlValue* pair = table.find("command")) {
        if (pair->kind != TomlKind::Table)
            table.wrongKind(*pair, "command", "a table such as { formulation = \"projection\", integrator = \"dop853\" }");
        out.command = stated;
        readMethods({*pair, pair->position, "run.command", {"formulation", "integrator"}}, *out.command);
    }
    out.step = table.positiveNumber("step");
    out.relativeTolerance = table.positiveNumber("rtol");
    out.absoluteTolerance = table.positiveNumber("atol");
    out.multiplierTolerance = table.positiveNumber("atol_multipliers");
    out.maxStep = table.positiveNumber("max_step");
    const auto end = table.positiveNumber("end");
    out.end = end.value_or(out.end);
    out.endStated = end.has_value();
    return out;
}

View readView(const TomlEntry* entry, bool space)
{
    View out;
    out.planar = !space;
    if (!entry)
        return out;
    const TableReader table(entry->value, entry->position, "view", {"planar", "length_unit", "center", "extent"});
    out.planar = table.flag("planar", out.planar);
    out.lengthUnit = table.positiveNumber("length_unit").value_or(out.lengthUnit);
    out.extent = table.positiveNumber("extent").value_or(out.extent);
    if (const auto center = table.numbers("center", space ? 3 : 2)) {
        out.centerX = (*center)[0];
        out.centerY = (*center)[space ? 2 : 1]; // z is up in space, y in the scene
        out.centerZ = space ? -(*center)[1] : 0;
    }
    return out;
}

/// redundant = "keep" leaves rows that follow from others where they are.
bool keepsDependent(const TableReader& table)
{
    const std::string stated = table.text("redundant", "set-aside", 16);
    if (stated != "keep" && stated != "set-aside")
        refuse(table.keyPosition("redundant"), "Unknown choice \"" + text::shortened(stated) + "\" for redundant constraints",
               "", "known are set-aside and keep", "write redundant = \"keep\", or leave the line out");
    return stated == "keep";
}

/// The values behind the start expressions; checkAtStart says which are not finite.
void fillStartValues(ConstrainedSystem& system)
{
    std::unordered_map<expr::Symbol, double, expr::SymbolHash> values;
    for (const Parameter& p : system.parameters)
        values[p.symbol] = p.quantity.value;
    const auto lookup = [&values](const expr::Symbol& s) -> std::optional<double> {
        const auto found = values.find(s);
        return found == values.end() ? std::nullopt : std::optional<double>(found->second);
    };
    for (Coordinate& c : system.coordinates) {
        c.position.value = expr::evaluate(c.positionStart, lookup).value_or(0);
        c.velocity.value = expr::evaluate(c.velocityStart, lookup).value_or(0);
    }
}

bool impactsShared(const TableReader& table)
{
    const std::string stated = table.text("impacts", "sequential", 16);
    if (stated != "sequential" && stated != "simultaneous")
        refuse(table.keyPosition("impacts"), "Unknown choice \"" + text::shortened(stated) + "\" for impacts at one time", "",
               "known are sequential and simultaneous", "write impacts = \"simultaneous\", or leave the line out");
    return stated == "simultaneous";
}

template <class Choice>
Choice choiceOf(const TableReader& table, const char* key, std::initializer_list<std::pair<const char*, Choice>> known)
{
    const std::string stated = table.text(key, known.begin()->first, 16);
    std::string words;
    for (const auto& [word, choice] : known) {
        if (stated == word)
            return choice;
        words += (words.empty() ? "" : ", ") + std::string(word);
    }
    refuse(table.keyPosition(key), "Unknown choice \"" + text::shortened(stated) + "\" for " + key, "", "known are " + words,
           "write one of them, or leave the line out");
}

/// What the file says of contacts with friction.
void readFrictionRules(const TableReader& table, Model& model)
{
    model.impactLaw = choiceOf<ImpactLaw>(
        table, "impact_law",
        {{"energetic", ImpactLaw::Energetic}, {"newton", ImpactLaw::Newton}, {"poisson", ImpactLaw::Poisson}});
    model.impactWithoutCollision = choiceOf<bool>(table, "painleve", {{"stop", false}, {"impact", true}});
    const auto rubs = std::ranges::find_if(model.system.oneSided, [](const OneSided& row) { return row.contact >= 0; });
    if (model.simultaneousImpacts && rubs != model.system.oneSided.end())
        refuse(table.keyPosition("impacts"), "Contacts with friction cannot be hit all at once", "joint " + rubs->row.joint,
               "the impact of a contact with friction is followed along its own impulse",
               "impacts = \"sequential\", or contacts without friction");
}

/// Constraints that follow from others take no freedom.
void checkChartSize(const Mechanism& mechanism, const ConstrainedSystem& system)
{
    if (!mechanism.chart || static_cast<int>(mechanism.chart->coordinates.size()) == system.n() - system.m())
        return;
    ConstrainedSystem independent = system;
    setAsideDependent(independent);
    if (static_cast<int>(mechanism.chart->coordinates.size()) == independent.n() - independent.m())
        return;
    const auto [q, parameters] = StatedPlace(system);
    if (const auto misfit = findMisfit(
            system, 0, q, parameters)) // rows that the chart counts as following from others, and that miss by a little
        throw ReadError{inWords(*misfit)};
    refuseChartSize(mechanism, independent.n(), independent.m());
}

/// A product of k factors has k (k - 1) second derivatives of k - 2 factors each: what nobody can write down is refused before
/// it is tried.
void checkDerivatives(const ConstrainedSystem& system)
{
    constexpr double kWorthCounting = 20'000; // of many short equations each counts for itself
    double total = 0;
    const auto add = [&total](const expr::Expr& e, int order, const SourcePosition& position, const std::string& where) {
        const double size = expr::derivativeSize(e, order);
        total += size > kWorthCounting ? size : 0;
        if (total > budget::kDerivedFactors)
            refuse(position, "The derivatives are too long", where,
                   "a product of k factors has about k^2 / 2 second derivatives, each as long as the product",
                   "name partial products as coordinates of their own, each with its constraint");
    };
    for (const Constraint& c : system.constraints)
        add(c.g, 2, c.position, "constraint " + c.name);
    for (const MassEntry& e : system.mass)
        add(e.value, 2, {}, "mass of " + system.coordinates[static_cast<std::size_t>(e.row)].name);
    for (std::size_t i = 0; i < system.force.size(); ++i)
        add(system.force[i], 1, {}, "forces on " + system.coordinates[i].name);
}

/// What other values of the parameters may break; of many bodies with one mass the first stands for all.
void keepRequirements(const std::vector<Requirement>& all, Model& model)
{
    std::unordered_set<std::string> seen;
    for (const Requirement& r : all) {
        const auto symbol = r.value.symbol();
        if ((symbol && seen.insert(symbol->text() + " " + r.what).second) || (!symbol && !expr::symbolsOf(r.value).empty()))
            model.requirements.push_back(r);
    }
}

std::shared_ptr<const Model> read(std::string_view text, const std::string& file, const ReadLimits& limits)
{
    auto parsed = parseToml(text, file);
    if (!parsed)
        throw ReadError{parsed.error()};
    TomlValue& root = *parsed;
    auto model = std::make_shared<Model>();
    model->format = readFormat(root);
    model->structure = expandRepeats(root, limits);
    KeyList keys{"format",     "dimensions",  "redundant", "impacts",    "impact_law", "painleve", "name",
                 "title",      "description", "source",    "parameters", "body",       "joint",    "force",
                 "lagrangian", "chart",       "view",      "run",        "input",      "output",   "start"};
    keys.insert(keys.end(), generalKeys().begin(), generalKeys().end());
    const TableReader table(root, {file, 1, 1}, "model file", keys);
    model->name = table.text("name", std::filesystem::path(file).stem().string());
    if (const TomlValue* name = table.find("name"))
        checkName(model->name, name->position, "model", true);
    model->title = table.text("title", model->name);
    model->description = table.text("description", "", 10'000);
    model->source = table.text("source", "", 1'000);
    model->text = text;
    model->run = readRun(root.find("run"));
    Mechanism mechanism = readMechanism(root, limits);
    model->view = readView(root.find("view"), mechanism.space);
    model->simultaneousImpacts = impactsShared(table);
    model->system = assemble(mechanism);
    readFrictionRules(table, *model);
    readOutputExpressions(root, mechanism, model->system);
    checkDerivatives(model->system);
    settleUnits(model->system);
    fillStartValues(model->system);
    checkChartSize(mechanism, model->system);
    const std::vector<Requirement> requirements = requirementsOf(mechanism, model->system);
    if (auto bad = checkAtStart(mechanism, model->system, requirements))
        throw ReadError{*std::move(bad)};
    keepRequirements(requirements, *model);
    model->unitWarnings = unitWarningsOf(mechanism, root, model->system);
    if (!keepsDependent(table))
        setAsideDependent(model->system);
    return model;
}

} // namespace

Result<std::shared_ptr<const Model>> readModel(std::string_view text, const std::string& file, const ReadLimits& limits)
{
    if (text.size() > limits.maxBytes)
        return Diagnostic{.what = "The file is too large",
                          .why = "it has " + std::to_string(text.size()) + " bytes, at most " + std::to_string(limits.maxBytes)
                                 + " are read",
                          .remedy = "open a smaller file",
                          .position = {.file = file}};
    try {
        return read(text, file, limits);
    } catch (ReadError& error) {
        if (error.diagnostic.position.file.empty())
            error.diagnostic.position.file = file;
        return std::move(error.diagnostic);
    } catch (const std::bad_alloc&) {
        return Diagnostic{
            .what = "The model needs too much memory", .remedy = "make the model smaller", .position = {.file = file}};
    } catch (const std::exception& error) {
        return Diagnostic{.what = "The model cannot be read", .why = error.what(), .position = {.file = file}};
    }
}

} // namespace driftless::model
