// What is said when nothing more can be done: messages that need no memory.
#pragma once

namespace driftless::app {

/// From here on a refused allocation ends in one line on standard error and the exit code of bad input, on whatever thread it
/// happens: as std::bad_alloc where there is still memory to handle it, else at once. A closed standard stream is no place that
/// the next file could take, and a file that grows beyond its limit is an error of writing instead of a signal.
void prepareLastWords();

} // namespace driftless::app
