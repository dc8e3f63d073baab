// Arranges a figure for print with a live preview: which panels and runs, what range of time, size, font, theme, file types.
// What the preview shows is what is written: the same engine draws both.
#pragma once

#include <QDialog>
#include <QTimer>

#include <vector>

#include "ui/views/FigureExport.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace driftless::ui {

class CalmCombo;
class FigurePreview;

class FigureDialog : public QDialog {
    Q_OBJECT
public:
    /// The request as the window would export it; the dialog offers the panels in it and those that could be.
    explicit FigureDialog(ExportRequest request, QWidget* parent = nullptr);

    /// The request as arranged.
    ExportRequest arranged() const;
    /// Endings of the files to write, "pdf", "tex", ...
    QStringList endings() const;
    /// The files that would be written for this path, whose own ending is replaced.
    QStringList filesFor(const QString& path) const;
    /// Writes every chosen kind of file. Answers what was written.
    Result<QStringList> writeFiles(const QString& path) const;

signals:
    void written(const QStringList& files);
    void failed(const driftless::Diagnostic& why);

private:
    QWidget* makeForm();
    QWidget* makePanels();
    QWidget* makeRuns();
    void showPreset();
    void changed();
    void drawPreview();
    bool timesAreOrdered() const;
    /// Says at the fields where the range of time is none; nothing is written then.
    void checkTimes();
    void askPath();
    /// Asks first where a file would be replaced.
    void write(const QString& path);
    void writeNow(const QString& path);

    ExportRequest request_;
    std::vector<PlotSpec> offered_; ///< one per box before "Scene"
    QTimer soon_;                   ///< one preview for many changes
    FigurePreview* preview_;
    QLabel *message_, *times_;
    QPushButton *write_, *copy_;
    std::vector<QCheckBox*> panels_, runs_;
    double shownFrom_ = 0, shownTo_ = 0; ///< [s] what the fields show of the request
    QDoubleSpinBox *from_, *to_, *width_, *height_, *points_;
    QSpinBox* columns_;
    CalmCombo *size_, *font_, *theme_, *layout_;
    QCheckBox *heading_, *events_;
    std::vector<QCheckBox*> kinds_;
};

} // namespace driftless::ui
