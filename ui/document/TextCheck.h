// What the editor says of a model's text while it is typed: the first mistake, the names to complete, the equation at a place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Diagnostic.h"

namespace driftless::ui {

/// Equations in the Modelica subset, or a mechanism in TOML.
enum class TextKind { Equations, Mechanism };
/// By the first word that is no comment: `model` begins equations.
TextKind kindOfText(std::string_view text);

/// The words of the language and its functions, for colours and completion.
const std::vector<std::string>& languageWords(TextKind kind);
const std::vector<std::string>& functionWords();

/// Reads the text as opening it would. Nothing: it is a model.
std::optional<Diagnostic> checkText(const std::string& text, const std::string& file);
/// The first place where the units of a text of equations do not fit; it is a model all the same.
std::optional<Diagnostic> unitWarning(const std::string& text, const std::string& file);
/// Names in the text (outside comments, strings of equations and numbers), sorted, without the words of the language.
std::vector<std::string> namesInText(std::string_view text, TextKind kind);
/// The equation or expression at a place of the text as LaTeX; empty where there is none that can be read. Names need not be
/// declared.
std::string latexAt(std::string_view text, std::size_t at, TextKind kind);

} // namespace driftless::ui
