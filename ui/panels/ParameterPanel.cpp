#include "ui/panels/ParameterPanel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "ui/panels/Controls.h"
#include "ui/panels/Icons.h"

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

ParameterPanel::ParameterPanel(Document& document, QWidget* parent) : QFrame(parent), document_(document)
{
    setObjectName("parameterPanel");
    setProperty("role", "dock");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 3, 0, 2);
    layout->setSpacing(2);
    layout->addWidget(makeHeader());
    auto* scroll = new QScrollArea;
    scroll->setObjectName("parameterScroll");
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makeRows());
    keepWidth(*scroll, *scroll->widget()->layout());
    layout->addWidget(scroll, 1);
}

QWidget* ParameterPanel::makeHeader()
{
    auto* header = new QWidget;
    auto* line = new QHBoxLayout(header);
    line->setContentsMargins(0, 0, 8, 0);
    line->setSpacing(6);
    title_ = heading(tr("Parameters"));
    title_->setObjectName("parametersTitle");
    search_ = new QLineEdit;
    search_->setObjectName("parameterSearch");
    search_->setProperty("part", "search");
    search_->setPlaceholderText(tr("Name or meaning"));
    search_->setAccessibleName(tr("Search the parameters"));
    search_->setClearButtonEnabled(true);
    reset_ = new QToolButton;
    reset_->setObjectName("resetParameters");
    reset_->setAutoRaise(true);
    reset_->setProperty("role", "small");
    reset_->setFixedSize(22, 22);
    reset_->setIconSize({16, 16});
    reset_->setToolTip(tr("All parameters back to the model's values"));
    reset_->setAccessibleName(reset_->toolTip());
    line->addWidget(title_);
    line->addWidget(search_, 1);
    line->addWidget(reset_);
    connect(search_, &QLineEdit::textChanged, this, &ParameterPanel::filter);
    connect(reset_, &QToolButton::clicked, this, &ParameterPanel::resetAll);
    return header;
}

QWidget* ParameterPanel::makeRows()
{
    auto* content = new QWidget;
    content->setObjectName("parameterRows");
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(4);
    structureBox_ = new QWidget;
    structureBox_->setObjectName("structureNumbers");
    structure_ = new QVBoxLayout(structureBox_);
    structure_->setContentsMargins(0, 0, 0, 0);
    structure_->setSpacing(2);
    layout->addWidget(structureBox_);
    parameters_ = new QVBoxLayout;
    parameters_->setSpacing(1);
    layout->addLayout(parameters_);
    none_ = new QLabel(tr("No parameter has this in its name or meaning."));
    none_->setObjectName("parametersNone");
    none_->setProperty("role", "secondary");
    none_->hide();
    layout->addWidget(none_);
    gainsBox_ = new QWidget;
    auto* gainsOuter = new QVBoxLayout(gainsBox_);
    gainsOuter->setContentsMargins(0, 4, 0, 0);
    gainsOuter->setSpacing(2);
    gainsTitle_ = new ElidedLabel; // the name of a run may be longer than the column is wide
    gainsTitle_->setProperty("role", "heading");
    gainsTitle_->setText(tr("Gains"));
    gainsTitle_->setObjectName("gainsTitle");
    gainsOuter->addWidget(gainsTitle_);
    gainsLayout_ = new QVBoxLayout;
    gainsLayout_->setSpacing(1);
    gainsOuter->addLayout(gainsLayout_);
    layout->addWidget(gainsBox_); // behind what all runs share: they come and go with the formulation
    layout->addStretch(1);
    return content;
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
        // The slider's range is that of the model's value: whatever is set, a session shows the same one again.
        const double usual = parameter.quantity.value, value = values[i++];
        auto* row = new QuantityRow(parameter.quantity, std::isfinite(usual) ? usual : value);
        row->setUsual(usual);
        row->setValue(value);
        row->setTheme(*theme_, scale_);
        const QString name = QString::fromStdString(parameter.quantity.name);
        connect(row, &QuantityRow::edited, this,
                [this, name](double value, const QString& gesture) { document_.control().setParameter(name, value, gesture); });
        connect(row, &QuantityRow::refused, &document_, &Document::refused);
        parameters_->addWidget(row);
        rows_.push_back(row);
    }
    search_->clear();
    alignNames();
    filter();
    refresh();
}

/// The longest name that is not out of the ordinary sets where the sliders begin.
void ParameterPanel::alignNames()
{
    constexpr int kWidest = 96; // [px] before scaling
    int widest = 0;
    for (const QuantityRow* row : rows_)
        widest = std::max(widest, row->nameWidth());
    for (QuantityRow* row : rows_)
        row->setNameWidth(std::min(widest, qRound(kWidest * scale_)));
}

void ParameterPanel::filter()
{
    const QString words = search_->text().trimmed();
    bool any = rows_.empty();
    for (QuantityRow* row : rows_) {
        const bool meant = row->matches(words);
        row->setVisible(meant);
        any = any || meant;
    }
    none_->setVisible(!any);
}

void ParameterPanel::resetAll() { (void)document_.control().resetParameters(); } // where it was refused, the document said why

void ParameterPanel::setTheme(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    reset_->setIcon(glyphIcon(Glyph::Reset, theme.secondary, theme.line));
    title_->setFixedWidth(
        QFontMetrics(uiFont(qRound(kHeadingPixels * scale), QFont::DemiBold)).horizontalAdvance(tr("Parameters then"))
        + 2); // with and without "then", nothing beside it moves
    for (QuantityRow* row : rows_)
        row->setTheme(theme, scale);
    for (const auto& [name, row] : gainRows_)
        row->setTheme(theme, scale);
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
        connect(row, &QuantityRow::refused, &document_, &Document::refused);
        row->setTheme(*theme_, scale_);
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
    reset_->setEnabled(document_.hasModel() && values != document_.compiled().defaultParameters());
    refreshGains();
}

void ParameterPanel::refreshGains()
{
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
