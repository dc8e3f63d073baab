// What Qt takes from the machine, and must not, and what it needs from it: to be settled when the application object has been
// made.
#pragma once

#include "core/base/Result.h"

namespace driftless::figures {

/// Numbers are written and read with a decimal point, whatever the locale of the person is: the application object has just
/// taken that over for the C library, and files would be others on another machine. Fails where no font is installed: every
/// letter of a picture would be an empty box.
Result<void> settleQt();

} // namespace driftless::figures
