// Lesson texts: Markdown with a calm line height, formulas in block quotes set in, on screen and on paper alike.
#pragma once

#include <QString>

class QTextDocument;

namespace driftless::ui {

/// Replaces the document's content. pixels: size of the text.
void setLessonText(QTextDocument& document, const QString& markdown, double pixels);

} // namespace driftless::ui
