// Files under way. The one writer of files (WholeFile.h) gives bytes a hidden name beside their place until they are whole:
// ".STEM.PROCESS-NUMBER.part.EXTENSION". A program that is killed leaves such a file, and the next writer in that folder
// removes it.
//
// Who writes a file holds the system's lock on it (flock). Left behind is what nobody holds, what is ours (regular, of this
// user, with a single name) and what nobody has written for kLeftSeconds, which is much longer than a writer takes between
// making and locking, or between letting go and renaming. On file systems without locks such a file stays.
#pragma once

#include <string>
#include <string_view>

namespace driftless {

inline constexpr int kLeftSeconds = 600;

/// Of a file called target (a name without folder), the number-th that this process has under way.
std::string partName(const std::string& target, unsigned number);

/// Whether partName() makes such names.
bool isPartName(std::string_view name);

/// This process writes it, until it closes the descriptor.
void claimPart(int descriptor);

/// Removes what was left behind in a folder. What cannot be removed stays, without a word: nobody asked for it. As it is
/// called for every file that is written, it looks at the first entries of a very large folder only, and again through a large
/// one after a minute.
void removeLeftParts(const std::string& folder);

} // namespace driftless
