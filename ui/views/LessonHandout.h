// A lesson on paper: texts, tasks, questions and the figure of every bench, as a PDF with vector text and page numbers.
#pragma once

#include <QString>

#include "core/lesson/Lesson.h"
#include "ui/figures/Figure.h"
#include "ui/views/PlotData.h"

namespace driftless::ui {

class Document;

PlotSpec plotSpec(const lesson::PlotChoice& choice);
/// What the plots of a step's bench show once its runs have been made; document stands where setUp left it.
figures::Figure lessonFigure(Document& document, const lesson::Setup& setup);

struct HandoutContents {
    int pages = 0, figures = 0;
};
/// Makes the runs and writes the PDF, whole or not at all. answers: with the right answers, numbers measured now.
/// Needs a QGuiApplication (the offscreen platform will do) for its fonts.
/// seed: the order of the options (lesson::optionOrder); it is printed, so that questions and solutions can be printed alike.
Result<HandoutContents> writeHandout(const lesson::Lesson& lesson, const QString& path, bool answers, std::uint64_t seed);

} // namespace driftless::ui
