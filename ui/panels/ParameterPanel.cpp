#include "ui/panels/SidePanels.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

constexpr std::size_t kMostChoices = 6;
constexpr int kHistoryLines = 2;

QLabel* heading(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "heading");
    return label;
}

/// What a pivot exchanged: "dummies a, b -> a, c (kappa ...)" becomes "b → c".
QString exchange(const QString& text)
{
    QString sets = text.section(QStringLiteral(" ("), 0, 0);
    if (sets.startsWith(QStringLiteral("dummies ")))
        sets.remove(0, 8);
    const auto named = [&sets](int side) { return sets.section(QStringLiteral(" -> "), side, side).split(QStringLiteral(", ")); };
    const QStringList before = named(0), after = named(1);
    const auto without = [](QStringList these, const QStringList& those) {
        these.removeIf([&those](const QString& name) { return those.contains(name); });
        return these.join(QStringLiteral(", "));
    };
    return QStringLiteral("%1 → %2").arg(without(before, after), without(after, before));
}

void clear(QVBoxLayout* layout)
{
    while (auto* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

PivotPanel::PivotPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName("pivotPanel");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 8, 8);
    layout->setSpacing(4);
    auto* row = new QHBoxLayout;
    title_ = heading(tr("Pivot"));
    automatic_ = new QCheckBox(tr("Automatic"));
    automatic_->setObjectName("pivotAutomatic");
    automatic_->setToolTip(tr("Choose the dummy derivatives by κ = ‖G‖ ‖G_sel⁻¹‖ while the run goes on"));
    row->addWidget(title_, 1);
    row->addWidget(automatic_);
    layout->addLayout(row);
    hint_ = new QLabel(tr("Only dummy-derivatives has a pivot to choose."));
    hint_->setProperty("role", "secondary");
    hint_->setWordWrap(true);
    layout->addWidget(hint_);
    list_ = new QVBoxLayout;
    list_->setSpacing(3);
    layout->addLayout(list_);
    history_ = new QLabel;
    history_->setObjectName("pivotHistory");
    history_->setProperty("role", "secondary");
    history_->setWordWrap(true);
    layout->addWidget(history_);
    connect(automatic_, &QCheckBox::clicked, this, [this](bool on) {
        const auto status = document_.status(document_.selected());
        run::PivotChoice choice;
        choice.automatic = on;
        if (!on)
            for (const int i : status.dummies)
                choice.dummies.push_back(document_.system().system().coordinates[static_cast<std::size_t>(i)].name);
        document_.setPivot(document_.selected(), choice);
        refresh();
    });
}

QString PivotPanel::names(const std::vector<int>& dummies) const
{
    QStringList all;
    for (const int i : dummies)
        all << QString::fromStdString(document_.system().system().coordinates[static_cast<std::size_t>(i)].name);
    return all.join(QStringLiteral(", "));
}

/// Of a mechanism with few degrees of freedom the coordinates that are integrated are the shorter list.
QString PivotPanel::shortNames(const std::vector<int>& dummies) const
{
    constexpr std::size_t kReadable = 2;
    std::vector<int> others;
    for (int i = 0; i < document_.system().n(); ++i)
        if (!std::ranges::binary_search(dummies, i))
            others.push_back(i);
    const bool few = dummies.size() > kReadable && others.size() < dummies.size() && !others.empty();
    return few ? tr("all but %1").arg(names(others)) : names(dummies);
}

/// The column is as wide as it is: names that do not fit are cut, the tool tip has them all.
QString PivotPanel::rowText(const Choice& choice, const QPushButton& button) const
{
    const QString mark = choice.current ? QStringLiteral("● ") : QStringLiteral("○ ");
    constexpr double kSingular = 1 / std::numeric_limits<double>::epsilon();
    const QString value = choice.kappa < 100 ? QString::number(choice.kappa, 'f', 2)
                          : choice.kappa < kSingular ? figure(choice.kappa) : QStringLiteral("∞");
    const QString kappa = QStringLiteral("    κ = ") + value;
    const QFontMetrics metrics = button.fontMetrics();
    const QMargins around = layout()->contentsMargins();
    const int room = width() - around.left() - around.right() - 3 * metrics.height() / 2 - metrics.horizontalAdvance(mark + kappa);
    return mark + metrics.elidedText(shortNames(choice.dummies), Qt::ElideRight, room) + kappa;
}

std::vector<PivotPanel::Choice> PivotPanel::choices(const run::RunStatus& status) const
{
    std::vector<Choice> all;
    for (const auto& candidate : status.candidates) {
        Choice choice{status.dummies, candidate.kappa, candidate.leaves < 0};
        if (!choice.current)
            std::ranges::replace(choice.dummies, candidate.leaves, candidate.enters);
        std::ranges::sort(choice.dummies);
        all.push_back(std::move(choice));
    }
    if (all.size() > kMostChoices) { // the present one and the best exchanges
        std::ranges::sort(all.begin() + 1, all.end(), {}, &Choice::kappa);
        all.resize(kMostChoices);
    }
    std::ranges::sort(all, {}, &Choice::dummies); // rows stay where they are when the roles swap
    return all;
}

void PivotPanel::rebuild(const std::vector<Choice>& all)
{
    clear(list_);
    buttons_.clear();
    shown_.clear();
    for (const Choice& choice : all) {
        auto* button = new QPushButton;
        button->setCheckable(true);
        button->setProperty("role", "choice");
        button->setObjectName("pivot_" + names(choice.dummies));
        button->setToolTip(tr("Pin this choice: the derivatives of %1 become dummies").arg(names(choice.dummies)));
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // names never widen the column
        const std::size_t place = buttons_.size();
        connect(button, &QPushButton::clicked, this, [this, place] { pin(place); });
        list_->addWidget(button);
        buttons_.push_back(button);
        shown_.push_back(choice.dummies);
    }
}

void PivotPanel::pin(std::size_t place)
{
    run::PivotChoice choice;
    choice.automatic = false;
    for (const int i : shown_[place])
        choice.dummies.push_back(document_.system().system().coordinates[static_cast<std::size_t>(i)].name);
    document_.setPivot(document_.selected(), choice);
    refresh();
}

void PivotPanel::resizeEvent(QResizeEvent*)
{
    refresh();
}

void PivotPanel::refresh()
{
    const RunEntry* run = document_.find(document_.selected());
    setEnabled(run != nullptr);
    if (!run)
        return;
    const auto status = document_.status(run->key);
    const auto all = choices(status);
    const bool pivots = !all.empty();
    title_->setText(tr("Pivot of %1").arg(run->name));
    hint_->setVisible(!pivots);
    automatic_->setVisible(pivots);
    history_->setVisible(pivots);
    automatic_->setChecked(status.settings.pivot.automatic);
    std::vector<std::vector<int>> sets;
    for (const Choice& choice : all)
        sets.push_back(choice.dummies);
    if (sets != shown_)
        rebuild(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QString text = rowText(all[i], *buttons_[i]);
        if (buttons_[i]->text() != text)
            buttons_[i]->setText(text);
        buttons_[i]->setChecked(all[i].current);
    }
    if (!pivots)
        return;
    QStringList lines;
    const auto events = document_.laboratory().events(run->id);
    for (auto event = events.rbegin(); event != events.rend() && lines.size() < kHistoryLines; ++event)
        if (event->kind == run::EventKind::Pivot)
            lines << QStringLiteral("%1 s  %2")
                         .arg(event->t, 0, 'f', 2)
                         .arg(exchange(QString::fromStdString(event->text)));
    history_->setText(lines.isEmpty() ? tr("No pivots yet") : lines.join('\n'));
}

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
    gainsOuter->addWidget(gainsTitle_);
    gainsLayout_ = new QVBoxLayout;
    gainsLayout_->setSpacing(2);
    gainsOuter->addLayout(gainsLayout_);
    layout->addWidget(gainsBox_);
    layout->addWidget(heading(tr("Parameters")));
    parameters_ = new QVBoxLayout;
    parameters_->setSpacing(2);
    layout->addLayout(parameters_);
}

void ParameterPanel::rebuild()
{
    clear(parameters_);
    rows_.clear();
    gainsOf_ = -1;
    if (!document_.hasModel())
        return;
    const auto values = document_.parameters();
    std::size_t i = 0;
    for (const auto& parameter : document_.system().system().parameters) {
        auto* row = new QuantityRow(parameter.quantity, values[i++]);
        const QString name = QString::fromStdString(parameter.quantity.name);
        connect(row, &QuantityRow::edited, this,
                [this, name](double value, const QString& gesture) { document_.setParameter(name, value, gesture); });
        parameters_->addWidget(row);
        rows_.push_back(row);
    }
    refresh();
}

void ParameterPanel::rebuildGains(const std::map<std::string, double>& gains)
{
    clear(gainsLayout_);
    gainRows_.clear();
    gainsOf_ = document_.selected();
    for (const auto& [name, value] : gains) {
        model::Quantity quantity;
        quantity.name = name;
        quantity.description = name == "xi" ? "damping ratio of the stabilising terms"
                               : name == "omega" ? "frequency of the stabilising terms" : "gain of the formulation";
        quantity.unit = name == "omega" ? "rad/s" : "";
        quantity.minimum = 0;
        quantity.maximum = std::max(name == "xi" ? 2.0 : 20.0, 2 * value);
        auto* row = new QuantityRow(quantity, value);
        const QString id = QString::fromStdString(name);
        connect(row, &QuantityRow::edited, this, [this, id](double v, const QString& gesture) {
            document_.setGain(document_.selected(), id, v, gesture);
        });
        gainsLayout_->addWidget(row);
        gainRows_[name] = row;
    }
}

void ParameterPanel::refresh()
{
    const auto values = document_.parameters();
    for (std::size_t i = 0; i < rows_.size() && i < values.size(); ++i)
        rows_[i]->setValue(values[i]);
    const RunEntry* run = document_.find(document_.selected());
    const auto gains = run ? document_.status(run->key).gains : std::map<std::string, double>{};
    gainsBox_->setVisible(!gains.empty());
    if (run)
        gainsTitle_->setText(tr("Gains of %1").arg(run->name));
    const bool same = std::ranges::equal(gains, gainRows_, {}, [](const auto& p) { return p.first; },
                                         [](const auto& p) { return p.first; });
    if (!same || gainsOf_ != document_.selected())
        rebuildGains(gains);
    for (const auto& [name, value] : gains)
        gainRows_[name]->setValue(value);
}

} // namespace driftless::ui
