// A dock of the left column: the parameters that all runs share, found by name or meaning, and the gains of the selected run.
#pragma once

#include <QFrame>

#include <map>
#include <string>
#include <vector>

#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace driftless::ui {

class ElidedLabel;

class QuantityRow;

class ParameterPanel : public QFrame {
    Q_OBJECT
public:
    explicit ParameterPanel(Document& document, QWidget* parent = nullptr);
    void rebuild();
    void refresh();
    void setTheme(const Theme& theme, double scale);

private:
    QWidget* makeHeader();
    QWidget* makeRows();
    void rebuildStructure();
    void rebuildGains(const std::map<std::string, double>& gains);
    void refreshGains();
    void alignNames();
    /// Rows that the search does not mean are hidden.
    void filter();
    void resetAll();

    Document& document_;
    QVBoxLayout *parameters_, *gainsLayout_;
    QWidget *gainsBox_, *structureBox_;
    QVBoxLayout* structure_;
    ElidedLabel* gainsTitle_;
    QLabel *title_, *none_;
    QLineEdit* search_;
    QToolButton* reset_;
    std::vector<QuantityRow*> rows_;
    std::map<std::string, QuantityRow*> gainRows_;
    int gainsOf_ = -1;
    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
};

} // namespace driftless::ui
