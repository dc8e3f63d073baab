// How commands answer: JSON on standard output, messages on standard error.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace driftless::app {

/// One object on standard output, members in the order they were added. False when it could not be written.
bool printJson(const nlohmann::ordered_json& value);

/// The number, null where it is none or infinite.
nlohmann::ordered_json finiteJson(double x);

/// What an author is to mend, each with its line where it has one.
nlohmann::json findingsJson(const std::vector<Diagnostic>& findings);

/// One message on standard error; returns the exit code of bad input.
int complain(const Diagnostic& diagnostic);

/// Whether the file can be written (checkWritable), and is none of those that the command reads: names of models or paths.
Result<void> checkOutput(const std::string& path, const std::vector<std::string>& inputs);

/// One line that a terminal can show: control characters become spaces, bytes that are no UTF-8 question marks, and what is
/// longer than anybody reads is cut.
std::string printable(const std::string& text);

} // namespace driftless::app
