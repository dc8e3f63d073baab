#include "core/run/Plain.h"

#include "core/text/Numbers.h"

namespace driftless::run {

std::string plain(double x, int digits) { return text::rounded(x, digits); }

} // namespace driftless::run
