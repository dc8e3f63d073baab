// Several finished runs as a table: what was chosen, what it kept, what it cost.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace driftless::app {

/// reports: an array of the JSON objects of `run`, each with "settings" in words. Markdown for people.
std::string markdownTable(const nlohmann::ordered_json& reports);
/// The same rows for programs, numbers in full.
std::string csvTable(const nlohmann::ordered_json& reports);

} // namespace driftless::app
