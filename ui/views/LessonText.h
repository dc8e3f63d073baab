// Lesson texts: Markdown with a calm line height, formulas in block quotes set in, on screen and on paper alike.
#pragma once

#include <QString>

class QTextDocument;

namespace driftless::ui {

/// Markdown for a label, which reads HTML and pictures as well: without both.
QString harmlessMarkdown(const QString& markdown);

/// Replaces the document's content. pixels: size of the text. Pictures and HTML are not read; links stay where they name a
/// page. Dummies, ⟦ẍ⟧, lose their brackets and get their ground.
void setLessonText(QTextDocument& document, const QString& markdown, double pixels);

} // namespace driftless::ui
