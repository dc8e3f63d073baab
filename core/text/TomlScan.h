// Refuses text that no TOML parser should be given: not UTF-8, binary, nested or split beyond any reason.
#pragma once

#include <optional>
#include <string_view>

#include "core/text/TomlValue.h"

namespace driftless::model {

std::optional<Diagnostic> scanText(std::string_view text, const std::string& file, const TomlLimits& limits);

} // namespace driftless::model
