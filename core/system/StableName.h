// Names that stay what they are, in the shell, in the window and on pages: model/ID, study/ID, lesson/ID and lesson/ID#STEP
// mean what ships with the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace driftless::model {

struct StableName {
    enum class Kind { Model, Study, Lesson } kind = Kind::Model;
    std::string id;
    int step = 0; ///< of a lesson, counted from 1; 0: none is named
};

/// None where the text is no such name. Whether there is what it names is not asked; a file of this name comes first.
std::optional<StableName> readStableName(std::string_view text);

} // namespace driftless::model
