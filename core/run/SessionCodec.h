// Settings, start values and commands as JSON and back; doubles survive bit for bit.
// Reading throws std::invalid_argument with words for a person; who reads catches it at the edge.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include "core/run/Laboratory.h"

namespace driftless::run::codec {

using Json = nlohmann::ordered_json;

Json toJson(const RunSettings& settings);
Json toJson(const StartSettings& start);
Json toJson(const Command& command);
Json toJson(const LogEntry& entry);

/// The text as JSON; says line and column of a mistake.
Json parse(const std::string& text);

// Members of an object: the message names the key that is missing or of another type.
const Json& member(const Json& object, const char* key);
std::string text(const Json& object, const char* key);
double number(const Json& object, const char* key); ///< finite
bool flag(const Json& object, const char* key);
/// A whole number, 0 to most.
std::uint64_t count(const Json& object, const char* key, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
const Json& list(const Json& object, const char* key);
const Json& table(const Json& object, const char* key);

RunSettings runSettings(const Json& j);
StartSettings startSettings(const Json& j);
Command command(const Json& j);
LogEntry logEntry(const Json& j);

} // namespace driftless::run::codec
