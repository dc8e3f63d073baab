// The list over the stage that says which key is which formulation: the present one marked, those that cannot be had here
// without a number. It goes by itself.
#pragma once

#include <QLabel>
#include <QSet>
#include <QString>
#include <QTimer>

#include "ui/document/Document.h"
#include "ui/views/Theme.h"

namespace driftless::formulation {
struct FormulationInfo;
}

namespace driftless::ui {

class StageKeys : public QLabel {
    Q_OBJECT
public:
    StageKeys(Document& document, QWidget* over);

    void setTheme(const Theme& theme, double scale);
    /// As long as that.
    void tell(int milliseconds);
    /// What it says may have changed: it says it anew for the rest of its time.
    void refresh();
    /// A form was tried for the run and refused: with this model and method it is offered no more.
    void noteRefused(const RunEntry& run, const QString& form) { refused_.insert(trialOf(run, form)); }

private:
    void write();
    QString trialOf(const RunEntry& run, const QString& form) const;
    bool isOffered(const RunEntry& run, const formulation::FormulationInfo& form) const;

    Document& document_;
    Theme theme_ = Theme::light();
    double scale_ = 1;
    QTimer leave_;
    QSet<QString> refused_; ///< with model and method
};

} // namespace driftless::ui
