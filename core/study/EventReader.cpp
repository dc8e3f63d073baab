#include "core/study/EventReader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "core/run/SettingKeys.h"
#include "core/run/Times.h"
#include "core/text/Budget.h"
#include "core/text/Numbers.h"
#include "core/text/TableReader.h"

namespace driftless::study {

namespace {

using model::refuse;
using model::TableReader;
using model::TomlEntry;
using model::TomlKind;
using model::TomlValue;

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

StudyEvent readEvent(const TomlValue& entry, const std::string& ofRun)
{
    const std::string where = ofRun + ", event";
    if (entry.find("do"))
        return recorded(entry, where);
    model::KeyList keys = run::settingNames(run::SettingScope::Event);
    keys.insert(keys.end(), {"t", "reset"});
    const TableReader table(entry, entry.position, where, keys);
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
        changes = run::readSetting(key.key, key.value, out.change, where) || changes;
    if (!changes)
        refuse(entry.position, "The event does nothing", where, "", "formulation = \"projection\", or set = { L = 1.2 }");
    return out;
}

} // namespace driftless::study
