#include "core/text/OwnPath.h"

#include <system_error>

#include <sys/auxv.h>

namespace driftless {

std::filesystem::path ownPath()
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (fs::path told = fs::read_symlink("/proc/self/exe", error); !error)
        return told;
    const unsigned long startedBy = ::getauxval(AT_EXECFN);
    if (startedBy == 0)
        return {};
    // The kernel hands the address over as a number.
    fs::path told = fs::canonical(reinterpret_cast<const char*>(startedBy), error);
    return error ? fs::path() : told;
}

} // namespace driftless
