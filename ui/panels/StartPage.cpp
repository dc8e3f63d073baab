#include "ui/panels/StartPage.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QTableWidget>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/system/DependentRows.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

constexpr int kFindingsWidth = 372; ///< [px] before scaling
constexpr int kTightFindings = 330;

QString text(const std::string& s) { return QString::fromStdString(s); }

/// Twelve digits are what a person may have typed.
QString typed(double value) { return withMinus(numberText(value, 12)); }

QLabel* secondaryLabel(const QString& words)
{
    auto* label = new QLabel(words);
    label->setProperty("role", "secondary");
    return label;
}

/// A correction that is round-off of the value is none.
bool corrected(const consistency::StartValue& value)
{
    constexpr double kRoundOff = 1e-12; // of values of size 1; the doctor solves to 1e4 round-offs
    return !(std::abs(value.after - value.before) <= kRoundOff * (1 + std::abs(value.before)));
}

/// The set of the diagnosis that can be fixed: values of a text of equations, else coordinates, and velocities where asked for.
std::vector<std::string> independentNames(const model::ConstrainedSystem& system, const consistency::Diagnosis& found,
                                          bool velocities)
{
    std::vector<std::string> names;
    for (const int i : found.independent) {
        const auto place = static_cast<std::size_t>(i);
        if (!system.values.empty()) {
            names.push_back(system.values[place].name);
            continue;
        }
        names.push_back(system.coordinates[place].name);
        if (velocities)
            names.push_back(system.coordinates[place].velocity.name);
    }
    return names;
}

} // namespace

StartPage::StartPage(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName("startPage");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 8);
    layout->setSpacing(16);
    table_ = new QTableWidget(0, Columns);
    table_->setObjectName("startValues");
    table_->setTabKeyNavigation(false); // arrows move within, Tab goes on
    table_->setAccessibleName(tr("Start values"));
    table_->setHorizontalHeaderLabels(
        {tr("Quantity"), tr("Fixed"), tr("Start value"), tr("Corrected"), tr("Change"), tr("Unit")});
    const QString tips[Columns] = {{},
                                   tr("Keep this value; the others are corrected"),
                                   tr("Double-click to edit; a value that is set counts as fixed"),
                                   tr("What a run starts from"),
                                   tr("Corrected less start value"),
                                   {}};
    for (int column = 0; column < Columns; ++column)
        table_->horizontalHeaderItem(column)->setToolTip(tips[column]);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setWordWrap(false); // a number that is too long ends in dots, not at a point it could be broken at
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    layout->addWidget(table_, 1);
    layout->addWidget(side_ = makeFindings());
    setScale(1);
    connectEdits();
}

void StartPage::setScale(double scale)
{
    scale_ = scale;
    share();
}

/// The page's width among the columns and the findings: as designed where there is room (and the rest to the table), else in
/// the proportions that large type needs, so that nothing scrolls sideways.
void StartPage::share()
{
    constexpr int roomy[Columns] = {122, 54, 138, 118, 84, 60}; // [px] before scaling
    constexpr int tight[Columns] = {86, 52, 100, 106, 72, 46};
    const QMargins margins = layout()->contentsMargins();
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2 * table_->frameWidth();
    const int room = width() - margins.left() - margins.right() - layout()->spacing() - bar;
    const int wanted = qRound((std::accumulate(std::begin(roomy), std::end(roomy), 0) + kFindingsWidth) * scale_);
    const int least = std::accumulate(std::begin(tight), std::end(tight), 0) + kTightFindings;
    const bool fits = wanted <= room;
    const double factor = fits ? scale_ : std::min(scale_, static_cast<double>(room) / least);
    for (int column = 0; column < Columns; ++column)
        table_->setColumnWidth(column, static_cast<int>((fits ? roomy : tight)[column] * factor));
    asItStands_->setText(fits ? tr("Start as it stands (inconsistent)") : tr("As it stands"));
    side_->setFixedWidth(static_cast<int>((fits ? kFindingsWidth : kTightFindings) * factor));
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    share();
}

QWidget* StartPage::makeFindings()
{
    auto* inner = new QWidget;
    inner->setObjectName("startFindings");
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(0, 2, 8, 0);
    column->setSpacing(5);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(1);
    grid->addWidget(secondaryLabel(tr("Residual")), 0, 0);
    grid->addWidget(secondaryLabel(tr("before")), 0, 1);
    grid->addWidget(secondaryLabel(tr("after")), 0, 2);
    const QString levels[] = {tr("position |g|"), tr("velocity |ġ|"), tr("acceleration |g̈|")};
    const char* names[] = {"position", "velocity", "acceleration"};
    for (int level = 0; level < 3; ++level) {
        grid->addWidget(residuals_[level][0] = new QLabel(levels[level]), level + 1, 0);
        for (int side = 1; side <= 2; ++side) {
            auto* label = residuals_[level][side] = new QLabel;
            label->setObjectName(QStringLiteral("start_%1_%2").arg(names[level], side == 1 ? "before" : "after"));
            label->setProperty("role", "figure");
            grid->addWidget(label, level + 1, side);
        }
    }
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    verdict_ = new QLabel;
    verdict_->setObjectName("startVerdict");
    freedom_ = new QLabel;
    freedom_->setObjectName("startFreedom");
    independent_ = new QLabel;
    independent_->setObjectName("startIndependent");
    for (QLabel* label : {verdict_, freedom_, independent_})
        label->setWordWrap(true);
    fix_ = new QPushButton(tr("Fix a well-conditioned set"));
    fix_->setObjectName("startFix");
    fix_->setToolTip(tr("Fix the set named above, as many values as there are degrees of freedom; the rest is solved for"));
    metric_ = new CalmCombo;
    metric_->setObjectName("startMetric");
    metric_->setAccessibleName(tr("Metric of the correction"));
    metric_->setToolTip(tr("The correction of the free values is smallest in this metric"));
    metric_->addItem(tr("coordinates"), "coordinates");
    metric_->addItem(tr("mass"), "mass");
    metric_->setMinimumContentsLength(9);
    revert_ = new QPushButton(tr("Revert"));
    revert_->setObjectName("startRevert");
    revert_->setToolTip(tr("The values that the runs started from"));
    auto* counted = new QHBoxLayout;
    counted->addWidget(freedom_, 1);
    counted->addWidget(secondaryLabel(tr("Metric")));
    counted->addWidget(metric_);
    auto* chosen = new QHBoxLayout;
    chosen->addWidget(fix_);
    chosen->addStretch(1);
    chosen->addWidget(revert_);
    column->addWidget(verdict_);
    column->addLayout(grid);
    column->addLayout(counted);
    column->addWidget(independent_);
    column->addLayout(chosen);
    column->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setObjectName("startScroll");
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(inner);
    asItStands_ = new QCheckBox(tr("Start as it stands (inconsistent)"));
    asItStands_->setObjectName("startAsItStands");
    asItStands_->setToolTip(tr("Take all values as they are, multipliers too, and see what each formulation makes of them"));
    use_ = new QPushButton(tr("Use these values"));
    use_->setObjectName("startUse");
    use_->setProperty("role", "primary");
    use_->setToolTip(tr("All runs back to t = 0, from here"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(asItStands_, 1);
    buttons->addWidget(use_);
    auto* all = new QWidget;
    auto* box = new QVBoxLayout(all);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(6);
    box->addWidget(scroll, 1);
    box->addLayout(buttons);
    return all;
}

void StartPage::connectEdits()
{
    connect(table_, &QTableWidget::itemChanged, this, &StartPage::itemEdited);
    connect(fix_, &QPushButton::clicked, this, [this] {
        if (!found_)
            return;
        draft_.setFixed(independentNames(document_.system(), *found_, true));
        refresh();
    });
    connect(use_, &QPushButton::clicked, this, &StartPage::use, Qt::QueuedConnection); // the page is rebuilt on the way
    connect(revert_, &QPushButton::clicked, this, [this] {
        draft_.letGo();
        rebuild();
    });
    connect(metric_, &QComboBox::currentIndexChanged, this, [this] {
        draft_.setMassMetric(metric_->currentData().toString() == QStringLiteral("mass"));
        refresh();
    });
    connect(asItStands_, &QCheckBox::clicked, this, [this](bool on) {
        draft_.setAllowInconsistent(on);
        refresh();
    });
}

void StartPage::rebuild()
{
    if (draft_.take()) { // what stands in the table belongs to the model before
        const QSignalBlocker quiet(table_);
        rows_.clear();
        table_->setRowCount(0);
    }
    refresh();
}

void StartPage::refresh()
{
    found_.reset();
    if (isVisible() && document_.hasModel()) {
        QString problem;
        const int values = static_cast<int>(document_.system().values.size());
        if (std::max(document_.compiled().n(), values) > kMostCoordinates) {
            const QString words =
                values > 0
                    ? tr("This model has %1 values. Start values are diagnosed here up to %2; driftless start does it beyond.")
                    : tr("This model has %1 coordinates. Start values are diagnosed here up to %2; driftless start does it "
                         "beyond.");
            problem = words.arg(std::max(document_.compiled().n(), values)).arg(kMostCoordinates);
        } else {
            draft_.takeParameters();
            if (auto found = diagnoseStart(document_.bench(), draft_.settings()))
                found_ = std::move(found).value();
            else
                problem = text(found.error().text());
        }
        showTable();
        showFindings();
        showVerdict(problem);
    }
    emit diagnosed();
}

const consistency::Diagnosis* StartPage::diagnosis() const
{
    const bool drawn = isVisible() && found_ && document_.compiled().n() > 0
                       && (draft_.edited() || std::ranges::any_of(found_->positions, corrected));
    return drawn ? &*found_ : nullptr;
}

bool StartPage::ofEquations() const { return document_.hasModel() && !document_.system().values.empty(); }

// --- the table ---

const consistency::StartValue& StartPage::of(const Row& row) const
{
    switch (row.part) {
    case Part::Position:
        return found_->positions[row.index];
    case Part::Velocity:
        return found_->velocities[row.index];
    case Part::Force:
        break;
    }
    return found_->forces[row.index];
}

/// Multipliers follow from the motion unless everything is taken as it stands.
bool StartPage::editable(const Row& row) const
{
    return row.part != Part::Force || row.index >= static_cast<std::size_t>(document_.compiled().m())
           || draft_.settings().allowInconsistent;
}

void StartPage::showTable()
{
    const QSignalBlocker quiet(table_);
    if (!found_) { // the numbers on display still say what was typed; only what follows from them is gone
        for (int row = 0; row < table_->rowCount(); ++row)
            for (const int column : {Corrected, Change})
                if (auto* item = table_->item(row, column))
                    item->setText(QStringLiteral("–"));
        return;
    }
    std::vector<Row> rows;
    for (const auto& [part, count] : {std::pair{Part::Position, found_->positions.size()},
                                      {Part::Velocity, found_->velocities.size()},
                                      {Part::Force, found_->forces.size()}})
        for (std::size_t i = 0; i < count; ++i)
            rows.push_back({part, i});
    rows_ = std::move(rows);
    table_->setRowCount(static_cast<int>(rows_.size()));
    for (int row = 0; row < table_->rowCount(); ++row)
        writeRow(row);
}

void StartPage::writeRow(int row)
{
    const Row& place = rows_[static_cast<std::size_t>(row)];
    const auto& value = of(place);
    const bool force = place.part == Part::Force;
    const double change = value.after - value.before;
    const QString texts[Columns] = {
        text(value.name),
        {},
        editable(place) ? typed(value.before) : QStringLiteral("–"),
        figure(corrected(value) || !editable(place) ? value.after : value.before, scale_ > 1 ? 6 : 8),
        !editable(place) || !corrected(value) ? QStringLiteral("–") : figure(change),
        text(value.unit)};
    for (int column = 0; column < Columns; ++column) {
        auto* item = table_->item(row, column);
        if (!item)
            table_->setItem(row, column, item = new QTableWidgetItem);
        Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
        if (column == Value && editable(place))
            flags |= Qt::ItemIsEditable;
        item->setFlags(flags);
        item->setText(texts[column]);
        const bool moved = (column == Corrected || column == Change) && editable(place) && corrected(value);
        item->setData(Qt::ForegroundRole, moved ? QVariant(palette().color(QPalette::Link)) : QVariant());
        item->setToolTip(force && !editable(place) ? tr("Follows from the motion") : QString());
    }
    if (force)
        table_->removeCellWidget(row, Fixed);
    else
        showFixed(row, value);
}

/// A box of its own: a view's indicator does not take the look of the other boxes.
void StartPage::showFixed(int row, const consistency::StartValue& value)
{
    auto* box = qobject_cast<QCheckBox*>(table_->cellWidget(row, Fixed));
    if (!box) {
        box = new QCheckBox;
        box->setProperty("part", "cell");
        table_->setCellWidget(row, Fixed, box);
        connect(box, &QCheckBox::clicked, this,
                [this, box](bool on) { setFixed(box->property("value").toString().toStdString(), on); });
    }
    const QString name = text(value.name);
    box->setProperty("value", name);
    box->setObjectName("fixed_" + name);
    box->setAccessibleName(tr("Keep %1").arg(name));
    box->setToolTip(tr("Keep %1 as it is; the others are corrected").arg(name));
    box->setChecked(value.fixed);
    box->setEnabled(!draft_.settings().allowInconsistent);
}

void StartPage::setFixed(const std::string& name, bool on)
{
    auto fixed = fixedNames();
    std::erase(fixed, name);
    if (on)
        fixed.push_back(name);
    draft_.setFixed(std::move(fixed));
    refresh();
}

void StartPage::itemEdited(QTableWidgetItem* item)
{
    const auto row = static_cast<std::size_t>(item->row());
    if (row >= rows_.size() || item->column() != Value)
        return;
    const std::string name = table_->item(item->row(), Name)->text().toStdString();
    const auto value = typedNumber(item->text());
    if (!value) {
        emit document_.refused(noNumber(item->text(), name));
    } else {
        draft_.setValue(name, *value, rows_[row].part != Part::Force);
    }
    // The table is written anew: not inside its own signal.
    QMetaObject::invokeMethod(this, &StartPage::refresh, Qt::QueuedConnection);
}

std::vector<std::string> StartPage::fixedNames() const
{
    std::vector<std::string> names;
    if (found_)
        for (const auto* list : {&found_->positions, &found_->velocities})
            for (const auto& value : *list)
                if (value.fixed)
                    names.push_back(value.name);
    return names;
}

// --- what was found ---

void StartPage::showFindings()
{
    const consistency::LevelResidual none{std::nan(""), std::nan("")};
    const consistency::LevelResidual levels[] = {found_ ? found_->position : none, found_ ? found_->velocity : none,
                                                 found_ ? found_->acceleration : none};
    for (int level = 0; level < 3; ++level) {
        residuals_[level][1]->setText(figure(levels[level].before));
        residuals_[level][2]->setText(figure(levels[level].after));
        for (QLabel* label : residuals_[level])
            label->setVisible(level == 0 || !ofEquations());
    }
    residuals_[0][0]->setText(ofEquations() ? tr("equations") : tr("position |g|"));
    const QSignalBlocker quiet(metric_);
    metric_->setCurrentIndex(draft_.settings().massMetric ? 1 : 0);
    metric_->setEnabled(!draft_.settings().allowInconsistent && !ofEquations()); // equations have no masses
    asItStands_->setEnabled(!rows_.empty());
    asItStands_->setChecked(draft_.settings().allowInconsistent);
    fix_->setEnabled(found_ && !draft_.settings().allowInconsistent);
    use_->setEnabled(found_
                     && (draft_.edited() || std::ranges::any_of(found_->positions, corrected)
                         || std::ranges::any_of(found_->velocities, corrected))
                     && (!found_->conflict || draft_.settings().allowInconsistent));
    revert_->setEnabled(draft_.edited());
    if (!found_) {
        freedom_->clear();
        independent_->clear();
        return;
    }
    freedom_->setText(found_->positionFreedom == found_->velocityFreedom || ofEquations()
                          ? tr("Degrees of freedom: %1").arg(found_->positionFreedom)
                          : tr("Degrees of freedom: %1 of the positions, %2 of the velocities")
                                .arg(found_->positionFreedom)
                                .arg(found_->velocityFreedom));
    QStringList names;
    for (const std::string& name : independentNames(document_.system(), *found_, false))
        names << text(name);
    const QString named = names.isEmpty() ? tr("none") : names.join(QStringLiteral(", "));
    independent_->setText(ofEquations()
                              ? tr("Well-conditioned independent set: %1").arg(named)
                              : tr("Well-conditioned independent set: %1 (κ = %2)").arg(named, figure(found_->kappa)));
    independent_->setVisible(document_.compiled().m() > 0 || ofEquations());
}

void StartPage::showVerdict(const QString& problem)
{
    QString words;
    bool bad = true;
    if (!problem.isEmpty()) {
        words = problem;
    } else if (found_->conflict) {
        const QString why = text(found_->conflict->why);
        words = tr("No correction: %1.\n%2.\nTry: fix fewer values, or start as it stands.")
                    .arg(text(found_->conflict->what), why.left(1).toUpper() + why.mid(1));
    } else if (draft_.settings().allowInconsistent) {
        words = tr("The runs start as it stands.");
        bad = false;
    } else {
        const bool moves =
            std::ranges::any_of(found_->positions, corrected) || std::ranges::any_of(found_->velocities, corrected);
        const QString corrected = ofEquations() ? tr("Consistent once the values that are not fixed are solved for.")
                                                : tr("Not consistent as entered; the corrected values are.");
        words = moves ? corrected : tr("Consistent.");
        bad = false;
    }
    if (found_) {
        for (const auto& dependent : document_.system().dependent)
            words += '\n' + tr("Redundant, and set aside: %1.").arg(text(model::sentence(dependent)));
        for (const auto& redundancy : found_->redundant)
            words += '\n' + tr("Redundant: %1.").arg(text(redundancy.text));
    }
    verdict_->setText(words.trimmed());
    if (verdict_->property("role").toString() == (bad ? "error" : ""))
        return;
    verdict_->setProperty("role", bad ? "error" : "");
    verdict_->style()->unpolish(verdict_);
    verdict_->style()->polish(verdict_);
}

// --- buttons ---

/// What was corrected becomes the start; so a later change of a length moves the free values from there.
void StartPage::use()
{
    if (!found_)
        return;
    run::SetStart start;
    start.allowInconsistent = draft_.settings().allowInconsistent;
    start.massMetric = draft_.settings().massMetric;
    start.fixed = fixedNames();
    for (const auto* list : {&found_->positions, &found_->velocities})
        for (const auto& value : *list)
            start.values[value.name] = draft_.settings().allowInconsistent ? value.before : value.after;
    for (const auto& value : found_->forces)
        if (const auto set = draft_.settings().values.find(value.name); set != draft_.settings().values.end())
            start.values[value.name] = set->second;
    draft_.letGo(); // used: the page is rebuilt on the way
    if (!document_.edits().setStart(start))
        draft_.letGo(false);
}

void StartPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void StartPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    emit diagnosed();
}

} // namespace driftless::ui
