// What a thread can be asked and told (Linux).
#pragma once

namespace driftless {

/// Processor time that the calling thread has used [s].
double threadSeconds();
/// Lets the calling thread yield to those of the window. Best effort: a refusal only costs smoothness.
void lowerThreadPriority();

} // namespace driftless
