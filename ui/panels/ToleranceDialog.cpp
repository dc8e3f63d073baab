#include "ui/panels/ToleranceDialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/formulation/Formulation.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

enum Column { Name, Unit, Applies, From, Own, kColumns };
constexpr QSize kSize{640, 520};

QString fromText(const run::QuantityTolerance& tolerance, bool general)
{
    const QString source = tolerance.source == tolerance.name ? QString() : QString::fromStdString(tolerance.source);
    switch (tolerance.from) {
    case run::ToleranceFrom::Run:
        return source.isEmpty() ? QObject::tr("this run") : QObject::tr("this run, by that of %1").arg(source);
    case run::ToleranceFrom::File:
        return source.isEmpty() ? QObject::tr("the model") : QObject::tr("the model, by that of %1").arg(source);
    case run::ToleranceFrom::Multipliers:
        return QObject::tr("that of multipliers");
    case run::ToleranceFrom::AllAlike:
        return general ? QObject::tr("that of all × nominal value") : QObject::tr("that of all");
    case run::ToleranceFrom::Nominal:
        return QObject::tr("relative × nominal value");
    }
    return {};
}

/// Above zero and finite; nothing else is a tolerance.
std::optional<double> toleranceIn(QString text)
{
    bool good = false;
    const double value = text.replace(',', '.').toDouble(&good);
    return good && std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

/// Coordinates of the chart are unknowns of the forms alone that are written in them; a tolerance that is stated stays in
/// sight.
void dropUnused(const model::ConstrainedSystem& system, const run::RunSettings& settings,
                std::vector<run::QuantityTolerance>& all)
{
    const auto* form = formulation::findFormulation(settings.formulation);
    if (!system.chart || !form || form->info().needsChart)
        return;
    std::erase_if(all, [&](const run::QuantityTolerance& tolerance) {
        return !settings.options.tolerances.contains(tolerance.name)
               && std::ranges::any_of(system.chart->coordinates, [&](const model::ChartCoordinate& c) {
                      return c.s.text() == tolerance.name || c.ds.text() == tolerance.name;
                  });
    });
}

void setText(QTableWidgetItem* item, const QString& text)
{
    if (item->text() != text)
        item->setText(text);
}

} // namespace

void ToleranceDialog::showFor(Document& document, int key, QWidget* window)
{
    for (auto* dialog : window->findChildren<ToleranceDialog*>())
        if (dialog->key_ == key && dialog->isVisible()) {
            dialog->raise();
            dialog->activateWindow();
            return;
        }
    auto* dialog = new ToleranceDialog(document, key, window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

ToleranceDialog::ToleranceDialog(Document& document, int key, QWidget* parent) : QDialog(parent), document_(document), key_(key)
{
    setObjectName("toleranceDialog");
    resizeOnScreen(*this, kSize);
    auto* rows = new QVBoxLayout(this);
    about_ = new QLabel;
    about_->setObjectName("toleranceAbout");
    about_->setWordWrap(true);
    rows->addWidget(about_);
    rows->addWidget(makeForAll());
    rows->addWidget(makeTable(), 1);
    problem_ = new QLabel;
    problem_->setObjectName("toleranceProblem");
    problem_->setProperty("role", "error");
    problem_->setWordWrap(true);
    problem_->hide();
    rows->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    clear_ = buttons->addButton(tr("Clear all own tolerances"), QDialogButtonBox::ResetRole);
    clear_->setObjectName("toleranceClear");
    for (auto* button : buttons->buttons())
        if (auto* push = qobject_cast<QPushButton*>(button))
            push->setAutoDefault(false); // Return ends a field and does not close
    rows->addWidget(buttons);
    connect(clear_, &QPushButton::clicked, this, &ToleranceDialog::clearOwn);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&document_, &Document::settingsChanged, this, &ToleranceDialog::refresh);
    connect(&document_, &Document::parametersChanged, this, &ToleranceDialog::refresh);
    connect(&document_, &Document::runsChanged, this, &ToleranceDialog::refresh);
    connect(&document_, &Document::benchChanged, this, &ToleranceDialog::refresh);
    refresh();
}

QWidget* ToleranceDialog::makeForAll()
{
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    const auto field = [&](const QString& name, const QString& text, const QString& empty,
                           double integrate::IntegratorOptions::*option) {
        auto* edit = new QLineEdit;
        edit->setObjectName(name);
        edit->setAccessibleName(text);
        edit->setPlaceholderText(empty);
        form->addRow(text, edit);
        connect(edit, &QLineEdit::editingFinished, this, [this, edit, option] { forAllEdited(edit, option); });
        return edit;
    };
    relative_ = field(QStringLiteral("toleranceRelative"), tr("Relative tolerance"), {},
                      &integrate::IntegratorOptions::relativeTolerance);
    absolute_ = field(QStringLiteral("toleranceAbsolute"), tr("Absolute tolerance of all"),
                      tr("relative × nominal value of each"), &integrate::IntegratorOptions::absoluteTolerance);
    multipliers_ = field(QStringLiteral("toleranceMultipliers"), tr("Absolute tolerance of multipliers"), tr("as the others"),
                         &integrate::IntegratorOptions::multiplierTolerance);
    longest_ = field(QStringLiteral("toleranceLongestStep"), tr("Longest step [s]"), tr("as the tolerances allow"),
                     &integrate::IntegratorOptions::maxStep);
    return box;
}

QWidget* ToleranceDialog::makeTable()
{
    table_ = new QTableWidget(0, kColumns);
    table_->setTabKeyNavigation(false); // arrows move within, Tab goes on
    table_->setObjectName("toleranceTable");
    table_->setAccessibleName(tr("Absolute tolerance of each quantity"));
    table_->setHorizontalHeaderLabels({tr("Quantity"), tr("Unit"), tr("Applies"), tr("Comes from"), tr("Own tolerance")});
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(From, QHeaderView::Stretch);
    connect(table_, &QTableWidget::itemChanged, this, &ToleranceDialog::ownEdited);
    return table_;
}

void ToleranceDialog::refresh()
{
    const RunEntry* run = document_.hasModel() ? document_.find(key_) : nullptr;
    if (!run) { // removed, or another model was opened
        close();
        return;
    }
    const auto settings = document_.shown(key_).settings;
    const auto* method = integrate::findIntegrator(settings.integrator);
    setWindowTitle(tr("Tolerances of %1").arg(run->name));
    QString about =
        tr("The error of a step may be up to the relative tolerance times the quantity plus the absolute tolerance.");
    if (method && !method->adaptive)
        about += ' '
                 + tr("%1 has a fixed step: tolerances act once a method chooses its steps.")
                       .arg(QString::fromStdString(settings.integrator));
    about_->setText(about);

    model::SystemEvaluator evaluator(document_.bench().compiledHandle());
    evaluator.setParameters(document_.lookBack().parameters(key_));
    auto all = run::quantityTolerances(document_.system(), model::nominalScales(evaluator), settings.options);
    dropUnused(document_.system(), settings, all);
    const QSignalBlocker quiet(table_);
    const bool same = std::ranges::equal(all, rows_, {}, &run::QuantityTolerance::name, &run::QuantityTolerance::name);
    rows_ = all;
    if (!same) {
        table_->setRowCount(0);
        table_->setRowCount(static_cast<int>(all.size()));
        for (int row = 0; row < table_->rowCount(); ++row)
            for (int column = 0; column < kColumns; ++column) {
                auto* item = new QTableWidgetItem;
                if (column != Own)
                    item->setFlags(item->flags() & ~Qt::ItemIsEditable);
                table_->setItem(row, column, item);
            }
    }
    for (int row = 0; row < table_->rowCount(); ++row)
        showRow(row, all[static_cast<std::size_t>(row)], settings.options);
    if (!same)
        for (const Column column : {Name, Unit, Applies, Own})
            table_->resizeColumnToContents(column);
    const auto show = [](QLineEdit* field, double value) { field->setText(value > 0 ? numberText(value) : QString()); };
    show(relative_, settings.options.relativeTolerance);
    show(absolute_, settings.options.absoluteTolerance);
    show(multipliers_, settings.options.multiplierTolerance);
    show(longest_, settings.options.maxStep);
    clear_->setEnabled(!settings.options.tolerances.empty());
}

void ToleranceDialog::showRow(int row, const run::QuantityTolerance& tolerance, const integrate::IntegratorOptions& options)
{
    const auto own = options.tolerances.find(tolerance.name);
    setText(table_->item(row, Name), QString::fromStdString(tolerance.name));
    setText(table_->item(row, Unit), QString::fromStdString(tolerance.unit));
    setText(table_->item(row, Applies), figure(tolerance.value));
    setText(table_->item(row, From), fromText(tolerance, !document_.system().values.empty()));
    setText(table_->item(row, Own), own == options.tolerances.end() ? QString() : numberText(own->second));
}

void ToleranceDialog::ownEdited(QTableWidgetItem* item)
{
    if (item->column() != Own || !document_.find(key_))
        return;
    const run::QuantityTolerance& of = rows_[static_cast<std::size_t>(item->row())];
    auto options = document_.shown(key_).settings.options;
    const auto before = options.tolerances;
    if (const QString typed = item->text().trimmed(); typed.isEmpty()) {
        options.tolerances.erase(of.name);
    } else if (const auto value = toleranceIn(typed)) {
        options.tolerances[of.name] = *value;
    } else {
        complain(tr("'%1' is no absolute tolerance of %2. Enter a number above zero%3, or leave the field empty.")
                     .arg(typed, QString::fromStdString(of.name),
                          of.unit.empty() ? QString() : tr(" in %1").arg(QString::fromStdString(of.unit))));
        return;
    }
    if (options.tolerances != before) // a field that was only looked into changes nothing
        send(options);
}

void ToleranceDialog::forAllEdited(QLineEdit* field, double integrate::IntegratorOptions::*option)
{
    if (!document_.find(key_))
        return;
    auto options = document_.shown(key_).settings.options;
    const double before = options.*option;
    const QString typed = field->text().trimmed();
    if (typed == (before > 0 ? numberText(before) : QString()))
        return;
    const bool mayBeEmpty = field != relative_;
    if (typed.isEmpty() && mayBeEmpty) {
        options.*option = 0;
    } else if (const auto value = toleranceIn(typed)) {
        options.*option = *value;
    } else {
        complain(tr("%1: '%2' is no %4. Enter a number above zero%3.")
                     .arg(field->accessibleName(), typed, mayBeEmpty ? tr(", or leave the field empty") : QString(),
                          field == longest_ ? tr("length of a step") : tr("tolerance")));
        return;
    }
    send(options);
}

void ToleranceDialog::clearOwn()
{
    auto options = document_.shown(key_).settings.options;
    options.tolerances.clear();
    send(options);
}

bool ToleranceDialog::send(const integrate::IntegratorOptions& options)
{
    problem_->hide();
    if (auto sound = options.check(); !sound) {
        complain(QString::fromStdString(sound.error().text()));
        return false;
    }
    const bool done = document_.control().setOptions(key_, options); // a refusal is told by the window
    refresh();
    return done;
}

/// One message, and the fields show again what holds.
void ToleranceDialog::complain(const QString& text)
{
    problem_->setText(text);
    problem_->show();
    refresh();
}

} // namespace driftless::ui
