// What is compared as one picture: scene, plots, runs and settings, with a preview, to a file or to the clipboard.
// Enter saves at once, under a name that is free.
#pragma once

#include <QDialog>

#include <functional>
#include <optional>

#include "core/base/Result.h"
#include "ui/views/FigureExport.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace driftless::ui {

class CalmCombo;
class FigurePreview;

class ComparisonDialog : public QDialog {
    Q_OBJECT
public:
    struct Source {
        std::function<ExportRequest(bool dark)> request; ///< what is on screen, in a light or a dark theme
        QString base;                                    ///< path without ending that is proposed
        bool dark = false;                               ///< the theme that is chosen first
    };
    explicit ComparisonDialog(Source source, QWidget* parent = nullptr);

    /// The figure as it stands in the preview.
    const figures::Figure& figure() const { return figure_; }

signals:
    void written(const QString& file);
    void copied();

private:
    QWidget* makeChoices();
    QWidget* makePath();
    void draw();
    void suitEnding();
    void suitFormat();
    void askPath();
    void save();
    void copy();
    void tell(const QString& words, bool wrong);

    Source source_;
    ExportRequest request_;        ///< as it was when the dialog opened
    std::optional<bool> askedFor_; ///< the theme that its scene is drawn in
    figures::Figure figure_;
    QString replaces_; ///< the file that the person was told is there, and may be replaced
    FigurePreview* preview_;
    CalmCombo *format_, *size_, *theme_;
    QLineEdit* path_;
    QLabel* message_;
    QPushButton *save_, *copy_;
};

} // namespace driftless::ui
