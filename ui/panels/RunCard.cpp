#include "ui/panels/RunCard.h"

#include <QAbstractItemView>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/formulation/Formulation.h"
#include "ui/panels/Controls.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/Icons.h"
#include "ui/panels/IntegratorList.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ToleranceDialog.h"

namespace driftless::ui {

namespace {

constexpr int kListWidth = 320; ///< [px] of the lists that the choices open: their names in full

QToolButton* smallButton(const QString& name, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setProperty("role", "small");
    button->setIconSize({16, 16});
    button->setFixedSize(24, 24);
    return button;
}

QLabel* caption(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "secondary");
    return label;
}

/// One number for both: a change of it is one of both. An absolute tolerance of 0 follows from the nominal values.
bool tolerancesAlike(const integrate::IntegratorOptions& options)
{
    return options.absoluteTolerance > 0 && options.absoluteTolerance == options.relativeTolerance;
}

} // namespace

Remedy remedyFor(const run::RunStatus& status)
{
    const auto* method = integrate::findIntegrator(status.settings.integrator);
    if (!status.settings.pivot.automatic)
        return {QObject::tr("Automatic pivoting"), [](Document& d, int key) { d.control().setPivot(key, run::PivotChoice{}); }};
    if (method && !method->adaptive)
        return {QObject::tr("Halve the step"), [options = status.settings.options](Document& d, int key) {
                    auto halved = options;
                    halved.step /= 2;
                    d.control().setOptions(key, halved);
                }};
    if (status.settings.formulation != "dummy-derivatives")
        return {QObject::tr("Switch to dummy-derivatives"),
                [](Document& d, int key) { d.control().setFormulation(key, QStringLiteral("dummy-derivatives")); }};
    return {QObject::tr("Start again"), [](Document& d, int) { d.edits().reset(); }};
}

RunCard::RunCard(Document& document, int key, QWidget* parent) : QWidget(parent), document_(document), key_(key)
{
    setObjectName(QStringLiteral("card_%1").arg(document_.find(key_)->colour + 1));
    buildStrip();
    connectStrip();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 8, 8);
    layout->setSpacing(4);
    buildTitle(layout);
    optionsBox_ = new QWidget;
    options_ = new QGridLayout(optionsBox_);
    options_->setContentsMargins(0, 0, 0, 0);
    options_->setHorizontalSpacing(6);
    options_->setVerticalSpacing(4);
    options_->setColumnStretch(1, 1);
    optionsBox_->hide();
    layout->addWidget(optionsBox_);
    buildFailure(layout);
    layout->addStretch(1);
    showEntry();
    showSettings();
}

/// What it costs, and what can be done with it.
void RunCard::buildTitle(QVBoxLayout* layout)
{
    const QString number = QString::number(document_.find(key_)->colour + 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    title_ = new ElidedLabel;
    title_->setProperty("role", "heading");
    title_->setObjectName("title_" + number);
    cost_ = new QLabel;
    cost_->setObjectName("cost_" + number);
    cost_->setProperty("role", "secondary");
    duplicate_ = smallButton("duplicate_" + number, tr("Duplicate this run"));
    remove_ = smallButton("remove_" + number, tr("Remove this run"));
    row->addWidget(title_, 1);
    row->addWidget(cost_);
    row->addSpacing(4);
    row->addWidget(duplicate_);
    row->addWidget(remove_);
    layout->addLayout(row);
    connect(duplicate_, &QToolButton::clicked, this, [this] { document_.control().duplicateRun(key_); });
    connect(
        remove_, &QToolButton::clicked, this, [this] { document_.control().removeRun(key_); }, Qt::QueuedConnection);
}

void RunCard::buildStrip()
{
    const QString number = QString::number(document_.find(key_)->colour + 1);
    strip_ = new QWidget;
    strip_->setObjectName("strip_" + number);
    strip_->setProperty("role", "strip");
    formulation_ = new CalmCombo;
    formulation_->setObjectName("formulation_" + number);
    formulation_->setAccessibleName(tr("Formulation"));
    listFormulations(*formulation_);
    tellTips(*formulation_, document_.hasModel() && document_.compiled().model().equations);
    integrator_ = new CalmCombo;
    integrator_->setObjectName("integrator_" + number);
    integrator_->setAccessibleName(tr("Integrator"));
    for (CalmCombo* combo : {formulation_, integrator_}) { // long names give way to the strip's width
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(8);
        combo->setListWidth(kListWidth);
    }
    listIntegrators(*integrator_);
    stepLabel_ = caption(tr("h"));
    stepLabel_->setProperty("part", "step"); // a width of its own: the integrators of all runs are as wide
    tolerances_ = new QToolButton;
    tolerances_->setObjectName("tolerances_" + number);
    tolerances_->setText(tr("tol"));
    tolerances_->setProperty("part", "link");
    tolerances_->setCursor(Qt::PointingHandCursor);
    tolerances_->setAccessibleName(tr("Tolerances"));
    step_ = new NumberField;
    step_->setObjectName("step_" + number);
    step_->setProperty("part", "step");
    details_ = smallButton("details_" + number, tr("Options, cost, duplicate, remove"));
    details_->setCheckable(true);
    auto* rows = new QVBoxLayout(strip_);
    rows->setContentsMargins(8, 3, 8, 3);
    rows->setSpacing(3);
    auto* first = new QHBoxLayout;
    first->setSpacing(4);
    first->addWidget(formulation_, 1);
    first->addWidget(details_);
    rows->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(4); // the names of most integrators fit beside the step
    second->addWidget(integrator_, 1);
    second->addWidget(stepLabel_);
    second->addWidget(tolerances_);
    second->addWidget(step_);
    rows->addLayout(second);
}

void RunCard::connectStrip()
{
    connect(formulation_, &QComboBox::currentIndexChanged, this, [this] {
        document_.control().setFormulation(key_, formulation_->currentData().toString());
        showSettings();
    });
    connect(integrator_, &QComboBox::currentIndexChanged, this, [this] {
        document_.control().setIntegrator(key_, integrator_->currentData().toString());
        showSettings();
    });
    connect(step_, &NumberField::entered, this, &RunCard::stepEntered);
    connect(step_, &NumberField::notANumber, this,
            [this](const QString& typed) { emit document_.refused(noNumber(typed, step_->accessibleName().toStdString())); });
    connect(tolerances_, &QToolButton::clicked, this, [this] { ToleranceDialog::showFor(document_, key_, window()); });
    connect(details_, &QToolButton::clicked, this, &RunCard::detailsAsked);
}

void RunCard::showOpen(bool open, bool offered)
{
    details_->setChecked(open);
    details_->setVisible(offered);
}

/// One row per option of the formulation, its name and its choices, and one for the parameter of a family of methods.
void RunCard::rebuildOptions(const std::string& formulation, const integrate::IntegratorInfo* method)
{
    optionCombos_.clear();
    parameter_ = nullptr;
    while (auto* item = options_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // a choice may be what brought us here
        delete item;
    }
    const auto* form = formulation::findFormulation(formulation);
    const QString number = QString::number(document_.find(key_)->colour + 1);
    int row = 0;
    for (const auto& option : form ? form->info().options : std::vector<formulation::FormulationOption>{}) {
        const QString name = QString::fromStdString(option.name), about = QString::fromStdString(option.description);
        auto* combo = new CalmCombo;
        combo->setObjectName(QStringLiteral("option_%1_%2").arg(name, number));
        combo->setAccessibleName(tr("%1: %2").arg(name, about));
        combo->setToolTip(about.left(1).toUpper() + about.mid(1));
        for (const std::string& choice : option.choices)
            combo->addItem(QString::fromStdString(choice), QString::fromStdString(choice));
        auto* label = caption(name);
        label->setToolTip(combo->toolTip());
        options_->addWidget(label, row, 0);
        options_->addWidget(combo, row++, 1);
        optionCombos_[option.name] = combo;
        connect(combo, &QComboBox::currentIndexChanged, this, [this, name, combo] {
            document_.control().setChoice(key_, name, combo->currentData().toString());
            showSettings();
        });
    }
    if (method && !method->parameter.name.empty()) {
        const auto& family = method->parameter;
        const QString name = QString::fromStdString(family.name);
        parameter_ = new NumberField;
        parameter_->setObjectName("methodParameter_" + number);
        const QString about = tr("Parameter of the family of methods, %1 to %2; usual is %3")
                                  .arg(family.least)
                                  .arg(family.most)
                                  .arg(family.usual);
        parameter_->setToolTip(about);
        parameter_->setAccessibleName(name + ": " + about);
        auto* label = caption(name);
        label->setToolTip(about);
        options_->addWidget(label, row, 0);
        options_->addWidget(parameter_, row++, 1);
        connect(parameter_, &NumberField::notANumber, this,
                [this, name](const QString& typed) { emit document_.refused(noNumber(typed, name.toStdString())); });
        connect(parameter_, &NumberField::entered, this, [this](double value) {
            auto options = document_.shown(key_).settings.options;
            options.parameter = value;
            document_.control().setOptions(key_, options);
            showSettings();
        });
    }
    optionsBox_->setVisible(row > 0);
}

void RunCard::showOptions(const run::RunSettings& settings)
{
    const auto* method = integrate::findIntegrator(settings.integrator);
    if (const std::string of = settings.formulation + '\n' + (method && !method->parameter.name.empty() ? method->id : "");
        of != optionsOf_) {
        optionsOf_ = of;
        rebuildOptions(settings.formulation, method);
    }
    if (parameter_)
        parameter_->setValue(settings.options.parameter != 0 ? settings.options.parameter : method->parameter.usual);
    const auto* form = formulation::findFormulation(settings.formulation);
    for (const auto& [name, combo] : optionCombos_)
        combo->show(QString::fromStdString(formulation::optionOf(form->info(), settings.choices, name)));
}

void RunCard::buildFailure(QVBoxLayout* layout)
{
    const QString number = QString::number(document_.find(key_)->colour + 1);
    failure_ = new QWidget;
    auto* box = new QVBoxLayout(failure_);
    box->setContentsMargins(0, 4, 0, 0);
    box->setSpacing(6);
    reason_ = new QLabel;
    reason_->setObjectName("reason_" + number);
    reason_->setWordWrap(true);
    reason_->setProperty("role", "error");
    remedy_ = new QPushButton;
    remedy_->setObjectName("remedy_" + number);
    why_ = new QLabel;
    why_->setObjectName("why_" + number);
    why_->setWordWrap(true);
    why_->setTextFormat(Qt::PlainText);
    why_->setProperty("role", "secondary");
    box->addWidget(reason_);
    box->addWidget(why_);
    box->addWidget(remedy_, 0, Qt::AlignLeft);
    failure_->hide();
    layout->addWidget(failure_);
    connect(
        remedy_, &QPushButton::clicked, this,
        [this] {
            const auto status = document_.shown(key_);
            if (status.state == run::RunState::Failed)
                remedyFor(status).act(document_, key_);
        },
        Qt::QueuedConnection);
}

void RunCard::setTheme(const Theme& theme)
{
    duplicate_->setIcon(glyphIcon(Glyph::Duplicate, theme.secondary, theme.line));
    remove_->setIcon(glyphIcon(Glyph::Remove, theme.secondary, theme.line));
    details_->setIcon(glyphIcon(Glyph::More, theme.secondary, theme.line));
}

void RunCard::showEntry()
{
    if (const RunEntry* entry = document_.find(key_))
        title_->setText(entry->name);
}

void RunCard::showSettings()
{
    const auto status = document_.shown(key_);
    const auto& settings = status.settings;
    formulation_->show(QString::fromStdString(settings.formulation));
    formulation_->setToolTip(formulation_->currentData(Qt::ToolTipRole).toString());
    showOptions(settings);
    listIntegrators(*integrator_); // one may have been added
    integrator_->show(QString::fromStdString(settings.integrator));
    integrator_->setToolTip(integrator_->currentData(Qt::ToolTipRole).toString());
    const auto* method = integrate::findIntegrator(settings.integrator);
    const bool adaptive = method && method->adaptive;
    stepLabel_->setVisible(!adaptive);
    tolerances_->setVisible(adaptive);
    const auto own = static_cast<int>(settings.options.tolerances.size());
    const QString about = tr("Tolerances of all quantities and of each");
    tolerances_->setToolTip(own > 0 ? tr("%1. Quantities with a tolerance of their own: %2").arg(about).arg(own) : about);
    const QString both = tolerancesAlike(settings.options) ? tr("Relative and absolute tolerance") : tr("Relative tolerance");
    const QString tip = adaptive ? both : tr("Step in seconds");
    step_->setToolTip(adaptive ? tip + QLatin1Char('\n') + QString::fromStdString(integrate::inWords(status.errorTest)) : tip);
    step_->setAccessibleName(tip);
    step_->setValue(adaptive ? settings.options.relativeTolerance : settings.options.step);
    showFailure(status);
}

void RunCard::stepEntered(double value)
{
    const auto settings = document_.shown(key_).settings;
    auto options = settings.options;
    const auto* method = integrate::findIntegrator(settings.integrator);
    if (method && method->adaptive) {
        if (tolerancesAlike(options))
            options.absoluteTolerance = value;
        options.relativeTolerance = value;
    } else
        options.step = value;
    document_.control().setOptions(key_, options);
    showSettings();
}

void RunCard::showCost()
{
    const auto status = document_.shown(key_);
    const bool back = document_.lookBack().looksBack(); // what it has cost is not recorded over time
    cost_->setText((back ? tr("CPU %1 s now") : tr("CPU %1 s")).arg(status.cpuSeconds, 0, 'f', status.cpuSeconds < 10 ? 2 : 0));
    cost_->setToolTip(
        (back ? tr("Until now, not until the displayed time: %1 s of processor time, %2 accepted steps, %3 rejected")
              : tr("%1 s of processor time, %2 accepted steps, %3 rejected"))
            .arg(status.cpuSeconds, 0, 'f', 3)
            .arg(status.statistics.steps)
            .arg(status.statistics.rejected));
    showFailure(status);
}

void RunCard::showFailure(const run::RunStatus& status)
{
    QString text;
    if (status.state == run::RunState::Failed)
        text = status.diagnostic ? QString::fromStdString(status.diagnostic->what) : tr("The run stopped.");
    if (!text.isEmpty())
        remedy_->setText(remedyFor(status).text); // it goes by the settings shown, as the click does
    if (text == failureText_)
        return;
    failureText_ = text;
    failure_->setVisible(!text.isEmpty());
    if (text.isEmpty())
        return;
    reason_->setText(text);
    why_->setText(status.diagnostic ? explained(*status.diagnostic) : QString());
    why_->setVisible(!why_->text().isEmpty());
}

} // namespace driftless::ui
