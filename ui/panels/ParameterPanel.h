// The left column below the run cards: the gains of the selected run and the parameters that all runs share.
#pragma once

#include <QWidget>

#include <map>
#include <string>
#include <vector>

#include "ui/document/Document.h"

class QLabel;
class QVBoxLayout;

namespace driftless::ui {

class QuantityRow;

class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(Document& document, QWidget* parent = nullptr);
    void rebuild();
    void refresh();

private:
    void rebuildStructure();
    void rebuildGains(const std::map<std::string, double>& gains);

    Document& document_;
    QVBoxLayout *parameters_, *gainsLayout_;
    QWidget *gainsBox_, *structureBox_;
    QVBoxLayout* structure_;
    QLabel *gainsTitle_, *title_;
    std::vector<QuantityRow*> rows_;
    std::map<std::string, QuantityRow*> gainRows_;
    int gainsOf_ = -1;
};

} // namespace driftless::ui
