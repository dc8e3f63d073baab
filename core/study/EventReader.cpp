#include "core/study/EventReader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "core/base/SettingRange.h"
#include "core/formulation/Formulation.h"
#include "core/model/TableReader.h"
#include "core/run/Times.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

using model::refuse;
using model::TableReader;
using model::TomlEntry;
using model::TomlKind;
using model::TomlValue;
using text::shortened;

[[noreturn]] void wrongKind(const TomlValue& value, const std::string& key, const std::string& expected,
                            const std::string& where)
{
    refuse(value.position, "\"" + key + "\" must be " + expected, where, "found " + model::kindInWords(value.kind));
}

std::string textOf(const TomlValue& value, const std::string& key, const std::string& where)
{
    if (value.kind != TomlKind::String)
        wrongKind(value, key, "a text in quotes", where);
    if (value.text.size() > 1000)
        refuse(value.position, "\"" + key + "\" is too long", where);
    return value.text;
}

/// A number, or a text with a constant expression such as "pi/2".
double numberOf(const TomlValue& value, const std::string& key, const std::string& where)
{
    if (value.kind == TomlKind::String) {
        const auto number = run::parseNumber(value.text);
        if (!number)
            refuse(value.position, number.error().what, where + ", " + key, number.error().why, number.error().remedy);
        return *number;
    }
    if (!value.isNumber())
        wrongKind(value, key, "a number", where);
    return model::finiteNumber(value, where + ", " + key);
}

double positive(const TomlValue& value, const std::string& key, const std::string& where)
{
    const double number = numberOf(value, key, where);
    if (!(number > 0))
        refuse(value.position, "\"" + key + "\" must be above zero", where);
    if (!isSetting(number))
        refuse(value.position, "\"" + key + "\" is out of the range of settings", where,
               "squares of such numbers are no numbers any more", "a number between 1e-100 and 1e100");
    return number;
}

/// An absolute tolerance of 0 is one by the nominal values.
double positiveOrNominal(const TomlValue& value, const std::string& key, const std::string& where)
{
    const double number = numberOf(value, key, where);
    return number == 0 ? 0 : positive(value, key, where);
}

void assign(const TomlValue& value, const std::string& key, std::vector<std::string>& to, bool numbers,
            const std::string& where)
{
    if (value.kind != TomlKind::Table)
        wrongKind(value, key, numbers ? "a table such as { L = 2 }" : "a table such as { basis = \"frozen\" }", where);
    for (const TomlEntry& entry : value.entries) {
        if (entry.key.find('=') != std::string::npos)
            refuse(entry.position, "A name holds no =", where);
        to.push_back(
            entry.key + '='
            + (numbers ? text::exact(numberOf(entry.value, entry.key, where)) : textOf(entry.value, entry.key, where)));
    }
}

std::vector<std::string> formulationNames()
{
    std::vector<std::string> names;
    for (const auto& f : formulation::formulations())
        names.push_back(f->info().id);
    return names;
}

std::vector<std::string> integratorNames()
{
    std::vector<std::string> names;
    for (const auto& i : integrate::integratorCatalogue())
        names.push_back(i.id);
    return names;
}

/// Methods of one's own are found, too: their tableaus stand before the runs.
std::string knownName(const TomlValue& value, const std::string& key, const std::vector<std::string>& known,
                      const std::string& where)
{
    const std::string name = textOf(value, key, where);
    if (std::find(known.begin(), known.end(), name) != known.end() || (key == "integrator" && integrate::findIntegrator(name)))
        return name;
    const std::string near = text::nearestName(name, known);
    refuse(value.position, "There is no " + key + " \"" + shortened(name) + '"', where, "known are " + text::firstOf(known),
           near.empty() ? "choose one of these" : "did you mean \"" + near + "\"?");
}

std::string pivotOf(const TomlValue& value, const std::string& where)
{
    if (value.kind == TomlKind::String)
        return textOf(value, "pivot", where);
    if (value.kind != TomlKind::Array || value.items.empty())
        wrongKind(value, "pivot", "\"auto\" or a list of coordinates", where);
    std::string out;
    for (const TomlValue& item : value.items)
        out += (out.empty() ? "" : ",") + textOf(item, "pivot", where);
    return out;
}

nlohmann::ordered_json json(const TomlValue& value)
{
    switch (value.kind) {
    case TomlKind::Boolean:
        return value.boolean;
    case TomlKind::Integer: {
        constexpr double kMostWhole = 9e18; // the largest whole numbers are rounded up to what no std::int64_t holds
        return std::abs(value.number) < kMostWhole ? nlohmann::ordered_json(static_cast<std::int64_t>(value.number))
                                                   : nlohmann::ordered_json(value.number);
    }
    case TomlKind::Float:
        return value.number;
    case TomlKind::String:
    case TomlKind::Date:
        return value.text;
    case TomlKind::Array: {
        auto out = nlohmann::ordered_json::array();
        for (const TomlValue& item : value.items)
            out.push_back(json(item));
        return out;
    }
    case TomlKind::Table:
        break;
    }
    auto out = nlohmann::ordered_json::object();
    for (const TomlEntry& entry : value.entries)
        out[entry.key] = json(entry.value);
    return out;
}

StudyEvent recorded(const TomlValue& entry, const std::string& where)
{
    const TableReader table(entry, entry.position, where,
                            {"t", "after_steps", "do", "name", "id", "value", "options", "pivot", "values", "as_recorded",
                             "allow_inconsistent", "mass_metric", "fixed", "to", "rows", "tableau"});
    StudyEvent out;
    out.position = entry.position;
    const auto t = table.number("t");
    const auto after = table.number("after_steps");
    if (!t || !after || *after < 0 || *after > static_cast<double>(budget::kSteps) || *after != std::floor(*after))
        refuse(entry.position, "A recorded command needs \"t\" and \"after_steps\"", where);
    if (const auto possible = run::checkTime(*t, where); !possible)
        refuse(entry.position, possible.error().what, where, possible.error().why);
    out.t = *t;
    out.afterSteps = static_cast<std::uint64_t>(*after);
    out.command = json(entry).dump();
    return out;
}

} // namespace

bool applyRunKey(const std::string& key, const TomlValue& value, run::RunRequest& request, const std::string& where)
{
    if (key == "model")
        request.model = textOf(value, key, where);
    else if (key == "formulation")
        request.formulation = knownName(value, key, formulationNames(), where);
    else if (key == "integrator")
        request.integrator = knownName(value, key, integratorNames(), where);
    else if (key == "step")
        request.step = positive(value, key, where);
    else if (key == "tol")
        request.relativeTolerance = request.absoluteTolerance = positive(value, key, where);
    else if (key == "rtol")
        request.relativeTolerance = positive(value, key, where);
    else if (key == "atol")
        request.absoluteTolerance = positiveOrNominal(value, key, where);
    else if (key == "atol_multipliers")
        request.multiplierTolerance = positive(value, key, where);
    else if (key == "max_step")
        request.maxStep = positive(value, key, where);
    else if (key == "newton")
        request.minNewtonIterations = static_cast<int>(std::min(positive(value, key, where), 1000.0));
    else if (key == "method_parameter")
        request.methodParameter = positive(value, key, where);
    else if (key == "end")
        request.end = positive(value, key, where);
    else if (key == "min_step")
        request.minStep = positive(value, key, where);
    else if (key == "set")
        assign(value, key, request.set, true, where);
    else if (key == "atol_for")
        assign(value, key, request.tolerances, true, where);
    else if (key == "gains")
        assign(value, key, request.gains, true, where);
    else if (key == "options")
        assign(value, key, request.choices, false, where);
    else if (key == "pivot")
        request.pivot = pivotOf(value, where);
    else if (key == "allow_inconsistent") {
        if (value.kind != TomlKind::Boolean)
            wrongKind(value, key, "true or false", where);
        request.allowInconsistent = value.boolean;
    } else if (key == "metric") {
        const std::string metric = textOf(value, key, where);
        if (metric != "mass" && metric != "identity")
            refuse(value.position, "\"metric\" is \"identity\" or \"mass\"", where);
        request.massMetric = metric == "mass";
    } else if (key == "fixed") {
        if (value.kind != TomlKind::Array)
            wrongKind(value, key, "a list of positions and velocities", where);
        request.fixed.emplace();
        for (const TomlValue& item : value.items)
            request.fixed->push_back(textOf(item, key, where));
    } else
        return false;
    return true;
}

StudyEvent readEvent(const TomlValue& entry, const std::string& run)
{
    const std::string where = run + ", event";
    if (entry.find("do"))
        return recorded(entry, where);
    const TableReader table(entry, entry.position, where,
                            {"t", "formulation", "integrator", "step", "tol", "rtol", "atol", "atol_multipliers", "atol_for",
                             "max_step", "newton", "method_parameter", "pivot", "set", "gains", "options", "reset"});
    StudyEvent out;
    out.position = entry.position;
    const auto t = table.number("t");
    if (t && *t < 0)
        refuse(table.find("t")->position, "An event happens before its run begins", where, "runs begin at t = 0", "t = 2.0");
    if (!t)
        refuse(entry.position, "An event needs the time \"t\" at which it happens", where, "", "t = 2.0");
    if (const auto possible = run::checkTime(*t, where); !possible)
        refuse(entry.position, possible.error().what, where, possible.error().why);
    out.t = *t;
    out.reset = table.flag("reset", false);
    bool changes = out.reset;
    for (const TomlEntry& key : entry.entries)
        changes = applyRunKey(key.key, key.value, out.change, where) || changes;
    if (!changes)
        refuse(entry.position, "The event does nothing", where, "", "formulation = \"projection\", or set = { L = 1.2 }");
    return out;
}

} // namespace driftless::study
