// Settings, start values and commands as JSON and back; doubles survive bit for bit.
// Reading throws nlohmann exceptions or std::invalid_argument; Session.cpp catches them at the edge.
#pragma once

#include <nlohmann/json.hpp>

#include "core/run/Laboratory.h"

namespace driftless::run::codec {

using Json = nlohmann::ordered_json;

Json toJson(const RunSettings& settings);
Json toJson(const StartSettings& start);
Json toJson(const Command& command);
Json toJson(const LogEntry& entry);

RunSettings runSettings(const Json& j);
StartSettings startSettings(const Json& j);
Command command(const Json& j);
LogEntry logEntry(const Json& j);

} // namespace driftless::run::codec
