// The left column below the run cards: the pivot of the selected run, the parameters all runs share, the selected run's gains.
#pragma once

#include <QWidget>

#include <map>
#include <string>
#include <vector>

#include "ui/document/Document.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace driftless::ui {

class QuantityRow;

/// The present choice of dummy derivatives and its single exchanges with their kappa; a click pins one.
class PivotPanel : public QWidget {
    Q_OBJECT
public:
    explicit PivotPanel(Document& document, QWidget* parent = nullptr);
    void refresh();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Choice {
        std::vector<int> dummies; ///< sorted
        double kappa;
        bool current;
    };
    std::vector<Choice> choices(const run::RunStatus& status) const;
    QString names(const std::vector<int>& dummies) const;
    QString shortNames(const std::vector<int>& dummies) const;
    QString rowText(const Choice& choice, const QPushButton& button) const;
    void rebuild(const std::vector<Choice>& all);
    void pin(std::size_t place);

    Document& document_;
    QLabel *title_, *hint_, *history_;
    QCheckBox* automatic_;
    QVBoxLayout* list_;
    std::vector<QPushButton*> buttons_;
    std::vector<std::vector<int>> shown_;
};

class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(Document& document, QWidget* parent = nullptr);
    void rebuild();
    void refresh();

private:
    void rebuildGains(const std::map<std::string, double>& gains);

    Document& document_;
    QVBoxLayout *parameters_, *gainsLayout_;
    QWidget* gainsBox_;
    QLabel* gainsTitle_;
    std::vector<QuantityRow*> rows_;
    std::map<std::string, QuantityRow*> gainRows_;
    int gainsOf_ = -1;
};

} // namespace driftless::ui
