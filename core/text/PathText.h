// File names are bytes, texts of the window are UTF-16: both ways without loss, also for names that are not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace driftless {

/// The name as text. A byte b that is not part of UTF-8 becomes the lone surrogate U+DC00 + b, which no text holds otherwise.
std::u16string pathToText(std::string_view bytes);
/// The bytes again.
std::string textToPath(std::u16string_view text);

} // namespace driftless
