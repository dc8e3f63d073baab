#include "ui/panels/ParameterPanel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

QLabel* heading(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "heading");
    return label;
}

void clear(QVBoxLayout* layout)
{
    while (auto* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

ParameterPanel::ParameterPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName("parameterPanel");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 8, 8);
    layout->setSpacing(4);
    gainsBox_ = new QWidget;
    auto* gainsOuter = new QVBoxLayout(gainsBox_);
    gainsOuter->setContentsMargins(0, 0, 0, 8);
    gainsOuter->setSpacing(4);
    gainsTitle_ = heading(tr("Gains"));
    gainsTitle_->setObjectName("gainsTitle");
    gainsOuter->addWidget(gainsTitle_);
    gainsLayout_ = new QVBoxLayout;
    gainsLayout_->setSpacing(2);
    gainsOuter->addLayout(gainsLayout_);
    layout->addWidget(gainsBox_);
    structureBox_ = new QWidget;
    structureBox_->setObjectName("structureNumbers");
    auto* structureOuter = new QVBoxLayout(structureBox_);
    structureOuter->setContentsMargins(0, 0, 0, 8);
    structureOuter->setSpacing(4);
    structureOuter->addWidget(heading(tr("Structure")));
    structure_ = new QVBoxLayout;
    structure_->setSpacing(2);
    structureOuter->addLayout(structure_);
    layout->addWidget(structureBox_);
    title_ = heading(tr("Parameters"));
    title_->setObjectName("parametersTitle");
    layout->addWidget(title_);
    parameters_ = new QVBoxLayout;
    parameters_->setSpacing(2);
    layout->addLayout(parameters_);
}

void ParameterPanel::rebuild()
{
    clear(parameters_);
    rows_.clear();
    gainsOf_ = -1;
    rebuildStructure();
    if (!document_.hasModel())
        return;
    const auto values = document_.bench().parameters();
    std::size_t i = 0;
    for (const auto& parameter : document_.system().parameters) {
        auto* row = new QuantityRow(parameter.quantity, values[i++]);
        const QString name = QString::fromStdString(parameter.quantity.name);
        connect(row, &QuantityRow::edited, this,
                [this, name](double value, const QString& gesture) { document_.control().setParameter(name, value, gesture); });
        parameters_->addWidget(row);
        rows_.push_back(row);
    }
    refresh();
}

/// Numbers that shape the model: another value is another model, so there is no slider to drag.
void ParameterPanel::rebuildStructure()
{
    clear(structure_);
    const bool any = document_.hasModel() && !document_.compiled().model().structure.empty();
    structureBox_->setVisible(any);
    if (!any)
        return;
    for (const model::StructureNumber& number : document_.compiled().model().structure) {
        const QString name = QString::fromStdString(number.name);
        auto* row = new QWidget;
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* label = new QLabel(name);
        auto* field = new QSpinBox;
        field->setButtonSymbols(QAbstractSpinBox::NoButtons); // arrow keys and the wheel step
        field->setObjectName("structure_" + name);
        field->setAccessibleName(name);
        field->setKeyboardTracking(false);
        field->setRange(number.minimum, number.maximum);
        field->setValue(number.value);
        const QString words = QString::fromStdString(number.description);
        label->setToolTip(words);
        field->setToolTip(words);
        label->setBuddy(field);
        layout->addWidget(label);
        auto* what = new QLabel(words);
        what->setProperty("role", "secondary");
        layout->addWidget(what, 1);
        layout->addWidget(field);
        // Queued: the new model's panel replaces this field, which must have returned from its own signal by then.
        connect(
            field, &QSpinBox::valueChanged, this, [this, name](int value) { document_.edits().setStructure(name, value); },
            Qt::QueuedConnection);
        structure_->addWidget(row);
    }
}

void ParameterPanel::rebuildGains(const std::map<std::string, double>& gains)
{
    clear(gainsLayout_);
    gainRows_.clear();
    gainsOf_ = document_.bench().selected();
    // Name, unit and description are the formulation's; a slider over its whole range would be too coarse.
    const auto quantities = document_.shown(gainsOf_).gainQuantities;
    for (const auto& [name, value] : gains) {
        model::Quantity quantity;
        if (const auto known = std::ranges::find(quantities, name, &model::Quantity::name); known != quantities.end())
            quantity = *known;
        quantity.name = name;
        quantity.minimum = std::isfinite(quantity.minimum) ? quantity.minimum : 0;
        quantity.maximum = std::min(quantity.maximum, std::max(name == "xi" ? 2.0 : 20.0, 2 * value));
        auto* row = new QuantityRow(quantity, value);
        const QString id = QString::fromStdString(name);
        connect(row, &QuantityRow::edited, this, [this, id](double v, const QString& gesture) {
            document_.control().setGain(document_.bench().selected(), id, v, gesture);
        });
        gainsLayout_->addWidget(row);
        gainRows_[name] = row;
    }
}

void ParameterPanel::refresh()
{
    const auto values = document_.lookBack().parameters();
    title_->setText(document_.lookBack().looksBack() && values != document_.bench().parameters() ? tr("Parameters then")
                                                                                                 : tr("Parameters"));
    for (std::size_t i = 0; i < rows_.size() && i < values.size(); ++i)
        rows_[i]->setValue(values[i]);
    const RunEntry* run = document_.find(document_.bench().selected());
    const auto gains = run ? document_.shown(run->key).gains : std::map<std::string, double>{};
    gainsBox_->setVisible(!gains.empty());
    if (run)
        gainsTitle_->setText(
            (document_.lookBack().differs(run->key) ? tr("Gains of %1 then") : tr("Gains of %1")).arg(run->name));
    const bool same = std::ranges::equal(
        gains, gainRows_, {}, [](const auto& p) { return p.first; }, [](const auto& p) { return p.first; });
    if (!same || gainsOf_ != document_.bench().selected())
        rebuildGains(gains);
    for (const auto& [name, value] : gains)
        gainRows_[name]->setValue(value);
}

} // namespace driftless::ui
