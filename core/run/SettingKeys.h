// The settings of a run under the names that people write: one list behind the runs of studies, the benches of lessons, the
// runs of `figure`, and the options of the command line. Each of them ends in a RunRequest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/RunRequest.h"
#include "core/text/TomlValue.h"

namespace driftless::run {

enum class SettingKind {
    Text,
    Formulation,
    Integrator,
    Number,         ///< above zero
    NominalNumber,  ///< above zero, or 0: by the nominal values
    BothTolerances, ///< relative and absolute at once, above zero
    Count,          ///< a whole number above zero
    NumbersByName,  ///< NAME=VALUE
    WordsByName,    ///< NAME=CHOICE
    Pivot,          ///< "auto" or names of coordinates
    Flag,
    Metric, ///< "identity" or "mass"
    Names
};

struct SettingKey {
    std::string_view name; ///< in files
    std::string_view unit{};
    std::string_view meaning; ///< as the help of a command says it
    SettingKind kind = SettingKind::Number;
    std::string_view option{};                              ///< on the command line; empty: not there
    std::optional<double> RunRequest::*number = nullptr;    ///< of numbers
    std::vector<std::string> RunRequest::*list = nullptr;   ///< of named numbers and words
    std::optional<std::string> RunRequest::*text = nullptr; ///< of formulation and integrator
    bool RunRequest::*flag = nullptr;
    bool live = false;  ///< may change while the run goes on
    bool bench = false; ///< a run beside others on one bench has it; model, start and end are those of the bench
};
std::span<const SettingKey> settingKeys();
/// nullptr where there is none.
const SettingKey* findSetting(std::string_view name);

/// Which settings somebody may write.
enum class SettingScope { Run, Event, Bench };
std::vector<std::string> settingNames(SettingScope scope);

/// Reads one key of a run's table into a request. False: there is no such setting. Throws model::ReadError with the place of a
/// bad value.
bool readSetting(const std::string& key, const model::TomlValue& value, RunRequest& request, const std::string& where);
/// The same for what a family varies: a setting, or one name of a table of them, "set.NAME", "gains.NAME", "options.NAME".
bool readVariedSetting(const std::string& key, const model::TomlValue& value, RunRequest& request, const std::string& where);
/// A setting that was asked for and that the method has no use for.
struct UnusedSetting {
    std::string_view setting;
    std::string sentence;
};
std::vector<UnusedSetting> unusedSettings(const RunRequest& request, const integrate::IntegratorInfo& method);
/// Whether a setting that is one number was asked for.
bool asksFor(const RunRequest& request, std::string_view setting);
/// The settings that KEY=VALUE can state: those that are one number, and pivot.
std::vector<std::string> settingsOfOneText();
/// The same from a text, for KEY=VALUE.
Result<void> setFromText(const std::string& key, const std::string& text, RunRequest& request);

/// Ids of the formulations and integrators, for messages.
std::vector<std::string> formulationNames();
std::vector<std::string> integratorNames();

} // namespace driftless::run
