#include "core/run/SettingKeys.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/SettingRange.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/TableReader.h"

namespace driftless::run {

namespace {

using model::refuse;
using model::TomlEntry;
using model::TomlKind;
using model::TomlValue;

constexpr std::size_t kLongestSetting = 1000; ///< bytes of one text
constexpr double kMostIterations = 1000;      ///< of Newton's method that may be asked for in a step
constexpr std::size_t kMostListed = 1'000;    ///< in one table or list

constexpr std::array kSettings{
    SettingKey{.name = "model",
               .unit = "",
               .meaning = "Path of a model file, or the name of a shipped model",
               .kind = SettingKind::Text},
    SettingKey{.name = "formulation",
               .meaning = "How the equations are written (driftless list formulations)",
               .kind = SettingKind::Formulation,
               .option = "--formulation",
               .text = &RunRequest::formulation,
               .live = true,
               .bench = true},
    SettingKey{
        .name = "integrator",
        .meaning =
            "How they are integrated (driftless list integrators), or the TOML file of a Runge-Kutta tableau of your own",
        .kind = SettingKind::Integrator,
        .option = "--integrator",
        .text = &RunRequest::integrator,
        .live = true,
        .bench = true},
    SettingKey{.name = "step",
               .unit = "s",
               .meaning = "Step [s]; the first one for methods that choose their own",
               .option = "--step",
               .number = &RunRequest::step,
               .live = true,
               .bench = true},
    SettingKey{
        .name = "tol", .meaning = "Relative and absolute tolerance at once", .kind = SettingKind::BothTolerances, .live = true},
    SettingKey{.name = "rtol",
               .meaning = "Relative tolerance",
               .option = "--rtol",
               .number = &RunRequest::relativeTolerance,
               .live = true,
               .bench = true},
    SettingKey{.name = "atol",
               .meaning = "Absolute tolerance",
               .kind = SettingKind::NominalNumber,
               .option = "--atol",
               .number = &RunRequest::absoluteTolerance,
               .live = true,
               .bench = true},
    SettingKey{.name = "atol_for",
               .meaning = "NAME=VALUE: the absolute tolerance of one quantity, in its unit",
               .kind = SettingKind::NumbersByName,
               .option = "--atol-for",
               .list = &RunRequest::tolerances,
               .live = true,
               .bench = true},
    SettingKey{.name = "atol_multipliers",
               .meaning = "Absolute tolerance of multipliers",
               .option = "--atol-multipliers",
               .number = &RunRequest::multiplierTolerance,
               .live = true,
               .bench = true},
    SettingKey{.name = "max_step",
               .unit = "s",
               .meaning = "Longest step of a method that chooses its steps [s]",
               .option = "--max-step",
               .number = &RunRequest::maxStep,
               .live = true,
               .bench = true},
    SettingKey{.name = "min_step", .unit = "s", .meaning = "Shortest step [s]", .number = &RunRequest::minStep, .bench = true},
    SettingKey{.name = "newton",
               .meaning = "Least number of Newton iterations a step",
               .kind = SettingKind::Count,
               .live = true,
               .bench = true},
    SettingKey{.name = "method_parameter",
               .meaning =
                   "Parameter of a one-parameter family of methods, 0 for its usual one (driftless list integrators --json)",
               .option = "--method-parameter",
               .number = &RunRequest::methodParameter,
               .live = true,
               .bench = true},
    SettingKey{.name = "end", .unit = "s", .meaning = "End of the run [s]", .option = "--end", .number = &RunRequest::end},
    SettingKey{.name = "set",
               .meaning = "NAME=VALUE: a parameter or an initial value, which then counts as fixed",
               .kind = SettingKind::NumbersByName,
               .option = "--set",
               .list = &RunRequest::set,
               .live = true},
    SettingKey{.name = "gains",
               .meaning = "NAME=VALUE: a gain of the formulation",
               .kind = SettingKind::NumbersByName,
               .list = &RunRequest::gains,
               .live = true,
               .bench = true},
    SettingKey{.name = "options",
               .meaning = "NAME=CHOICE: an option of the formulation (driftless list formulations --json)",
               .kind = SettingKind::WordsByName,
               .option = "--option",
               .list = &RunRequest::choices,
               .live = true,
               .bench = true},
    SettingKey{.name = "pivot",
               .meaning = "auto, or the variables whose derivatives become dummies: VAR,VAR...",
               .kind = SettingKind::Pivot,
               .option = "--pivot",
               .text = &RunRequest::pivot,
               .live = true,
               .bench = true},
    SettingKey{.name = "allow_inconsistent",
               .meaning = "Take all initial values as they stand",
               .kind = SettingKind::Flag,
               .option = "--allow-inconsistent",
               .flag = &RunRequest::allowInconsistent},
    SettingKey{
        .name = "metric", .meaning = "In which metric the start is corrected: identity or mass", .kind = SettingKind::Metric},
    SettingKey{.name = "fixed", .meaning = "Positions and velocities that count as fixed", .kind = SettingKind::Names},
};

[[noreturn]] void wrongSetting(const TomlValue& value, const std::string& key, const std::string& expected,
                               const std::string& where)
{
    refuse(value.position, "\"" + key + "\" must be " + expected, where, "found " + model::kindInWords(value.kind));
}

std::string settingText(const TomlValue& value, const std::string& key, const std::string& where)
{
    if (value.kind != TomlKind::String)
        wrongSetting(value, key, "a text in quotes", where);
    if (value.text.size() > kLongestSetting)
        refuse(value.position, "\"" + key + "\" is too long", where);
    return value.text;
}

/// A number, or a text with a constant expression such as "pi/2".
double settingNumber(const TomlValue& value, const std::string& key, const std::string& where)
{
    if (value.kind == TomlKind::String) {
        const auto number = parseNumber(value.text);
        if (!number)
            refuse(value.position, number.error().what, where + ", " + key, number.error().why, number.error().remedy);
        return *number;
    }
    if (!value.isNumber())
        wrongSetting(value, key, "a number", where);
    return model::finiteNumber(value, where + ", " + key);
}

double positiveSetting(const TomlValue& value, const std::string& key, const std::string& where)
{
    const double number = settingNumber(value, key, where);
    if (!(number > 0))
        refuse(value.position, "\"" + key + "\" must be above zero", where);
    if (!driftless::isSetting(number))
        refuse(value.position, "\"" + key + "\" is out of the range of settings", where,
               "squares of such numbers are no numbers any more", "a number between 1e-100 and 1e100");
    return number;
}

/// An absolute tolerance of 0 is one by the nominal values.
double positiveOrNominalSetting(const TomlValue& value, const std::string& key, const std::string& where)
{
    const double number = settingNumber(value, key, where);
    return number == 0 ? 0 : positiveSetting(value, key, where);
}

int countSetting(const TomlValue& value, const std::string& key, const std::string& where)
{
    const double number = positiveSetting(value, key, where);
    if (number != std::floor(number))
        refuse(value.position, "\"" + key + "\" must be a whole number", where);
    return static_cast<int>(std::min(number, kMostIterations));
}

void assignSettings(const TomlValue& value, const std::string& key, std::vector<std::string>& to, bool numbers,
                    const std::string& where)
{
    if (value.kind != TomlKind::Table)
        wrongSetting(value, key, numbers ? "a table such as { L = 2 }" : "a table such as { basis = \"frozen\" }", where);
    if (value.entries.size() > kMostListed)
        refuse(value.position, "\"" + key + "\" has too many names", where, "at most " + std::to_string(kMostListed));
    for (const TomlEntry& entry : value.entries) {
        if (entry.key.find('=') != std::string::npos)
            refuse(entry.position, "A name holds no =", where);
        to.push_back(entry.key + '='
                     + (numbers ? text::exact(settingNumber(entry.value, entry.key, where))
                                : settingText(entry.value, entry.key, where)));
    }
}

/// Methods of one's own are found, too: their tableaus stand before the runs.
std::string knownSetting(const TomlValue& value, const std::string& key, const std::vector<std::string>& known,
                         const std::string& where)
{
    const std::string name = settingText(value, key, where);
    if (std::find(known.begin(), known.end(), name) != known.end() || (key == "integrator" && integrate::findIntegrator(name)))
        return name;
    const std::string near = text::nearestName(name, known);
    refuse(value.position, "There is no " + key + " \"" + text::shortened(name) + '"', where,
           "known are " + text::firstOf(known), near.empty() ? "choose one of these" : "did you mean \"" + near + "\"?");
}

std::string pivotSetting(const TomlValue& value, const std::string& where)
{
    const std::string expected = "\"auto\" or a list of coordinates";
    if (value.kind == TomlKind::String) {
        const std::string text = settingText(value, "pivot", where);
        if (text.empty())
            refuse(value.position, "\"pivot\" must be " + expected, where, "the text is empty");
        return text;
    }
    if (value.kind != TomlKind::Array || value.items.empty() || value.items.size() > kMostListed)
        wrongSetting(value, "pivot", expected, where);
    std::string out;
    for (const TomlValue& item : value.items) {
        const std::string name = settingText(item, "pivot", where);
        if (name.empty() || name.find(',') != std::string::npos)
            refuse(item.position, "\"pivot\" lists one coordinate in each text", where,
                   "found \"" + text::shortened(name) + '"');
        out += (out.empty() ? "" : ",") + name;
    }
    return out;
}

void readFlagOrNames(const SettingKey& key, const TomlValue& value, RunRequest& request, const std::string& where)
{
    const std::string name(key.name);
    if (key.kind == SettingKind::Flag) {
        if (value.kind != TomlKind::Boolean)
            wrongSetting(value, name, "true or false", where);
        request.*(key.flag) = value.boolean;
    } else if (key.kind == SettingKind::Metric) {
        const std::string metric = settingText(value, name, where);
        if (metric != "mass" && metric != "identity")
            refuse(value.position, "\"metric\" is \"identity\" or \"mass\"", where);
        request.massMetric = metric == "mass";
    } else {
        if (value.kind != TomlKind::Array)
            wrongSetting(value, name, "a list of positions and velocities", where);
        if (value.items.size() > kMostListed)
            refuse(value.position, "\"" + name + "\" has too many names", where, "at most " + std::to_string(kMostListed));
        request.fixed.emplace();
        for (const TomlValue& item : value.items)
            request.fixed->push_back(settingText(item, name, where));
    }
}

} // namespace

std::span<const SettingKey> settingKeys() { return kSettings; }

const SettingKey* findSetting(std::string_view name)
{
    const auto found = std::ranges::find(kSettings, name, &SettingKey::name);
    return found == kSettings.end() ? nullptr : &*found;
}

std::vector<std::string> settingNames(SettingScope scope)
{
    std::vector<std::string> out;
    for (const SettingKey& key : kSettings)
        if (scope == SettingScope::Run || (scope == SettingScope::Event && key.live)
            || (scope == SettingScope::Bench && key.bench))
            out.emplace_back(key.name);
    return out;
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

bool readSetting(const std::string& name, const TomlValue& value, RunRequest& request, const std::string& where)
{
    const SettingKey* key = findSetting(name);
    if (!key)
        return false;
    switch (key->kind) {
    case SettingKind::Text:
        request.model = settingText(value, name, where);
        break;
    case SettingKind::Formulation:
        request.formulation = knownSetting(value, name, formulationNames(), where);
        break;
    case SettingKind::Integrator:
        request.integrator = knownSetting(value, name, integratorNames(), where);
        break;
    case SettingKind::Number:
        request.*(key->number) = positiveSetting(value, name, where);
        break;
    case SettingKind::NominalNumber:
        request.*(key->number) = positiveOrNominalSetting(value, name, where);
        break;
    case SettingKind::BothTolerances:
        request.relativeTolerance = request.absoluteTolerance = positiveSetting(value, name, where);
        break;
    case SettingKind::Count:
        request.minNewtonIterations = countSetting(value, name, where);
        break;
    case SettingKind::NumbersByName:
    case SettingKind::WordsByName:
        assignSettings(value, name, request.*(key->list), key->kind == SettingKind::NumbersByName, where);
        break;
    case SettingKind::Pivot:
        request.pivot = pivotSetting(value, where);
        break;
    case SettingKind::Flag:
    case SettingKind::Metric:
    case SettingKind::Names:
        readFlagOrNames(*key, value, request, where);
        break;
    }
    return true;
}

bool readVariedSetting(const std::string& name, const TomlValue& value, RunRequest& request, const std::string& where)
{
    for (const std::string_view group : {"set", "gains", "options"})
        if (name.starts_with(group) && name.size() > group.size() + 1 && name[group.size()] == '.') {
            TomlValue table;
            table.kind = TomlKind::Table;
            table.position = value.position;
            table.entries.push_back({name.substr(group.size() + 1), value.position, value});
            return readSetting(std::string(group), table, request, where);
        }
    return readSetting(name, value, request, where);
}

bool asksFor(const RunRequest& request, std::string_view setting)
{
    const SettingKey* key = findSetting(setting);
    if (!key || key->kind == SettingKind::Count)
        return key && request.minNewtonIterations;
    return key->number && (request.*(key->number)).has_value();
}

std::vector<UnusedSetting> unusedSettings(const RunRequest& request, const integrate::IntegratorInfo& method)
{
    std::vector<UnusedSetting> out;
    const auto judge = [&](std::string_view setting, bool used, const char* why) {
        if (!used && asksFor(request, setting))
            out.push_back({setting, '"' + std::string(setting) + "\" changes nothing: " + method.id + ' ' + why});
    };
    judge("method_parameter", !method.parameter.name.empty(), "is a method without a parameter");
    judge("newton", method.multistep && method.implicitMethod && method.adaptive, "takes as many iterations as it needs");
    judge("max_step", method.adaptive, "has steps of one length");
    judge("min_step", method.adaptive, "has steps of one length");
    return out;
}

std::vector<std::string> settingsOfOneText()
{
    std::vector<std::string> out;
    for (const SettingKey& key : kSettings)
        if (key.number || key.kind == SettingKind::Count || key.kind == SettingKind::BothTolerances
            || key.kind == SettingKind::Pivot)
            out.emplace_back(key.name);
    return out;
}

Result<void> setFromText(const std::string& name, const std::string& text, RunRequest& request)
{
    const SettingKey* key = findSetting(name);
    if (key && key->kind == SettingKind::Pivot && !text.empty()) {
        request.pivot = text;
        return {};
    }
    const bool both = key && key->kind == SettingKind::BothTolerances;
    const bool counts = key && key->kind == SettingKind::Count;
    if (!both && !counts && !(key && key->number)) {
        const std::string near = text::nearestName(name, settingsOfOneText());
        return Diagnostic{.what = '"' + name.substr(0, 40) + "\" is no setting of a run that one number states",
                          .where = name.substr(0, 40) + '=' + text.substr(0, 40),
                          .why = {},
                          .remedy = near.empty() ? "one of " + text::alternatives(settingsOfOneText())
                                                 : "did you mean \"" + near + "\"?",
                          .position = {}};
    }
    const auto value = parseNumber(text);
    if (!value)
        return value.error();
    if (counts && *value != std::floor(*value))
        return Diagnostic{.what = '"' + name + "\" must be a whole number",
                          .where = name + '=' + text.substr(0, 40),
                          .why = {},
                          .remedy = name + '=' + text::rounded(std::max(1.0, std::round(*value))),
                          .position = {}};
    if (counts)
        request.minNewtonIterations = static_cast<int>(std::clamp(*value, 0.0, kMostIterations));
    else if (both)
        request.relativeTolerance = request.absoluteTolerance = *value;
    else
        request.*(key->number) = *value;
    return {};
}

} // namespace driftless::run
