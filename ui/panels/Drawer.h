// The bottom drawer: the equations being integrated, the model text, messages, start values.
#pragma once

#include <QTabWidget>

#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QLabel;
class QPlainTextEdit;
class QTableWidget;
class QVBoxLayout;

namespace driftless::ui {

class EquationView;

class Drawer : public QTabWidget {
    Q_OBJECT
public:
    explicit Drawer(Document& document, QWidget* parent = nullptr);

    void setTheme(const Theme& theme, double scale);
    /// Another model or other runs.
    void rebuild();
    /// The equations when the formulation or the pivot changed; cheap otherwise.
    void refreshEquations();
    void showMessages();

private:
    QWidget* makeText();
    QWidget* makeStart();
    void rebuildStart();
    void applyText();

    Document& document_;
    EquationView* equations_;
    QPlainTextEdit* text_;
    QLabel* textProblem_;
    QWidget* messages_;
    QVBoxLayout* messageList_;
    QTableWidget* start_;
    QString equationsKey_;
    std::vector<int> dummies_;
};

} // namespace driftless::ui
