// What is on screen as a file or on the clipboard: the comparison as a figure, its numbers, the scene.
#pragma once

#include <QObject>
#include <QSize>
#include <QString>

#include "core/base/Result.h"
#include "core/lesson/Lesson.h"
#include "ui/document/Document.h"
#include "ui/views/FigureExport.h"

class QWidget;

namespace driftless::ui {

class PlotColumn;
class SceneView;

/// What is exported: it outlives the exports.
struct Exported {
    Document& document;
    PlotColumn& plots;
    SceneView& scene;
};

class Exports : public QObject {
    Q_OBJECT
public:
    Exports(const Exported& what, QWidget& window);
    void setDark(bool dark) { dark_ = dark; }

    /// The rows of the time that the plots show, also where one looks back.
    Result<CsvWritten> csv(const QString& path);
    Result<void> scene(const QString& path);
    /// The runs that are shown, as far as they have been shown, as a page for a browser.
    Result<void> page(const QString& path);
    /// A lesson as a page, with its benches as they play before anybody changes them.
    Result<void> lesson(const lesson::Lesson& lesson, const QString& path);
    /// As .pdf, .svg, .png and caption (.txt, .tex) in a folder, under the model's name and the first number that is free.
    /// Answers the path without ending.
    Result<QString> now(const QString& folder);
    void copy();
    /// A dialog in which the figure is arranged before it is written.
    void arrange();
    /// What is compared at the displayed time as one picture: a dialog with its preview, to a file or to the clipboard.
    void compare();

signals:
    void written(const QString& files);
    void copied();

private:
    ExportRequest request(QSize scene);
    ExportRequest comparison(bool dark);
    QString freeBase(const QString& folder) const;

    Exported what_;
    QWidget& window_;
    bool dark_ = false;
    QString folder_; ///< of the last picture
};

} // namespace driftless::ui
