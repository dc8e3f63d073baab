// Where the running executable stands: what is installed is found from there, so that an installation can be moved.
#pragma once

#include <filesystem>

namespace driftless {

/// Behind symbolic links; empty where the system does not tell. Without /proc, as in a bare chroot, the name that the
/// executable was started by.
std::filesystem::path ownPath();

} // namespace driftless
