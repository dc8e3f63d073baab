// The bytes of a file from a stranger: regular files of bounded size only.
#pragma once

#include <string>

#include "core/base/Result.h"

namespace driftless {

/// At most `most` bytes; refuses directories, devices, pipes and larger files.
Result<std::string> readRegularFile(const std::string& path, std::size_t most);

} // namespace driftless
