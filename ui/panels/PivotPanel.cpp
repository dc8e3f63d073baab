#include "ui/panels/PivotPanel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/run/EventWords.h"
#include "core/text/Names.h"
#include "ui/document/NumberText.h"
#include "ui/document/RunSelection.h"
#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

constexpr std::size_t kMostChoices = 6;
constexpr int kHistoryLines = 2;

QString kappaText(double kappa)
{
    constexpr double kSingular = 1 / std::numeric_limits<double>::epsilon();
    if (kappa < 100)
        return fixedText(kappa, 2);
    return kappa < kSingular ? figure(kappa) : QStringLiteral("∞");
}

/// What a pivot exchanged: from a, b to a, c is "b → c".
QString exchange(const run::PivotChange& pivot)
{
    const auto without = [](std::vector<std::string> these, const std::vector<std::string>& those) {
        std::erase_if(these, [&those](const std::string& name) { return std::ranges::find(those, name) != those.end(); });
        return QString::fromStdString(text::joined(these));
    };
    return QStringLiteral("%1 → %2").arg(without(pivot.from, pivot.to), without(pivot.to, pivot.from));
}

/// Whether a basis was taken anew, when due or by hand.
bool renewsBasis(const run::Event& event)
{
    const auto* done = event.as<run::CommandDone>();
    const auto* choice = done ? std::get_if<run::SetChoice>(&done->payload) : nullptr;
    return event.as<run::BasisRenewed>() || (choice && choice->name == "basis");
}

/// A change of pivot or of the basis in a line; empty for other events.
QString historyLine(const run::Event& event)
{
    if (const auto* pivot = event.as<run::PivotChange>())
        return exchange(*pivot);
    if (!renewsBasis(event))
        return {};
    return QString::fromStdString(run::words(event))
        .replace(QStringLiteral("kappa"), QStringLiteral("κ"))
        .replace(QStringLiteral("->"), QStringLiteral("→"));
}

QLabel* secondary(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setProperty("role", "secondary");
    label->setWordWrap(true);
    label->setMinimumWidth(1); // a long name never widens the column
    return label;
}

} // namespace

// --- one selection ---

SelectionList::SelectionList(QWidget* parent) : QWidget(parent)
{
    list_ = new QVBoxLayout(this);
    list_->setSizeConstraint(QLayout::SetMinimumSize); // rows come and go: the column makes room rather than squeeze them
    list_->setContentsMargins(0, 0, 0, 0);
    list_->setSpacing(1);
    heading_ = secondary({});
    list_->addWidget(heading_);
}

std::vector<SelectionList::Choice> SelectionList::choices(const std::vector<int>& dummies,
                                                          const std::vector<formulation::PivotCandidate>& candidates)
{
    std::vector<Choice> all;
    for (const auto& candidate : candidates) {
        Choice choice{dummies, candidate.kappa, candidate.leaves < 0};
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

QString SelectionList::named(const std::vector<int>& dummies) const
{
    QStringList all;
    for (const int i : dummies)
        all << names_[i];
    return all.join(QStringLiteral(", "));
}

/// Of a mechanism with few degrees of freedom the coordinates that are integrated are the shorter list.
QString SelectionList::shortNames(const std::vector<int>& dummies) const
{
    constexpr std::size_t kReadable = 2;
    std::vector<int> others;
    for (int i = 0; i < static_cast<int>(names_.size()); ++i)
        if (!std::ranges::binary_search(dummies, i))
            others.push_back(i);
    const bool few = dummies.size() > kReadable && others.size() < dummies.size() && !others.empty();
    return few ? tr("all but %1").arg(named(others)) : named(dummies);
}

/// The dummies that all choices share.
std::vector<int> SelectionList::common() const
{
    std::vector<int> out = all_.empty() ? std::vector<int>() : all_.front().dummies;
    std::erase_if(out, [this](int i) {
        return !std::ranges::all_of(all_, [i](const Choice& c) { return std::ranges::binary_search(c.dummies, i); });
    });
    return out;
}

/// The column is as wide as it is: names that do not fit are cut, the tool tip has them all.
QString SelectionList::rowText(const Choice& choice, const QPushButton& button, Cut cut) const
{
    const QString mark = choice.current ? QStringLiteral("● ") : QStringLiteral("○ ");
    const QString kappa = QStringLiteral("    κ = ") + kappaText(choice.kappa);
    const QFontMetrics metrics = button.fontMetrics();
    const int room = width() - 3 * metrics.height() / 2 - metrics.horizontalAdvance(mark + kappa);
    if (cut == Cut::End)
        return mark + metrics.elidedText(shortNames(choice.dummies), Qt::ElideRight, room) + kappa;
    std::vector<int> own = choice.dummies;
    const std::vector<int> shared = common();
    std::erase_if(own, [&shared](int i) { return std::ranges::binary_search(shared, i); });
    const QString rest = shared.empty() ? QString() : QStringLiteral("…, ");
    return mark + rest + metrics.elidedText(named(own), Qt::ElideMiddle, room - metrics.horizontalAdvance(rest)) + kappa;
}

void SelectionList::rebuild()
{
    // What is hidden and added here lays the column out anew, and it is written before this is done.
    for (QPushButton* button : std::exchange(buttons_, {})) {
        button->hide();
        button->deleteLater(); // a click on one of them may be what brought us here
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
        auto* button = new QPushButton;
        button->setCheckable(true);
        button->setProperty("role", "choice");
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // names never widen the column
        const QString all = named(all_[i].dummies);
        button->setToolTip(tr("Pin this choice: the derivatives of %1 become dummies").arg(all));
        button->setAccessibleName(tr("Pin %1").arg(all));
        button->setObjectName("pivot_" + all);
        connect(button, &QPushButton::clicked, this, [this, dummies = all_[i].dummies] { emit picked(dummies); });
        list_->addWidget(button);
        buttons_.push_back(button);
    }
    list_->activate();
    updateGeometry();
}

void SelectionList::write()
{
    if (buttons_.size() != all_.size())
        return; // its rows are being built
    const auto texts = [this](Cut cut) {
        QStringList out;
        for (std::size_t i = 0; i < all_.size(); ++i)
            out << rowText(all_[i], *buttons_[i], cut);
        return out;
    };
    const auto names = [](QString row) { return row.mid(2).section(QStringLiteral("    κ"), 0, 0); };
    QStringList rows = texts(Cut::End), cut;
    for (const QString& row : rows)
        cut << names(row);
    if (cut.removeDuplicates() > 0)
        rows = texts(Cut::Common);
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const QString& text = rows[static_cast<qsizetype>(i)];
        if (buttons_[i]->text() != text)
            buttons_[i]->setText(text);
        buttons_[i]->setChecked(all_[i].current);
    }
}

void SelectionList::show(const QString& heading, const QStringList& names, const std::vector<int>& dummies,
                         const std::vector<formulation::PivotCandidate>& candidates)
{
    auto all = choices(dummies, candidates);
    const bool same = names == names_ && std::ranges::equal(all, all_, {}, &Choice::dummies, &Choice::dummies);
    names_ = names;
    all_ = std::move(all);
    if (!same)
        rebuild();
    heading_->setText(heading);
    heading_->setVisible(!heading.isEmpty());
    write();
    setVisible(!all_.empty());
}

void SelectionList::resizeEvent(QResizeEvent*) { write(); }

// --- the panel ---

PivotPanel::PivotPanel(Document& document, QWidget* parent) : QFrame(parent), document_(document)
{
    setObjectName("pivotPanel");
    setProperty("role", "dock");
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(8, 3, 0, 2);
    outer->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 8, 0);
    title_ = new ElidedLabel; // the name of a run may be longer than the column is wide
    title_->setObjectName("pivotTitle");
    title_->setText(tr("Pivot"));
    title_->setProperty("role", "heading");
    automatic_ = new QCheckBox(tr("Automatic"));
    automatic_->setObjectName("pivotAutomatic");
    automatic_->setToolTip(tr("Choose the dummy derivatives by κ = ‖G‖ ‖G_sel⁻¹‖ while the run goes on"));
    QSizePolicy kept = automatic_->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // the rows below stay where they are
    automatic_->setSizePolicy(kept);
    row->addWidget(title_, 1);
    row->addWidget(automatic_);
    outer->addLayout(row);
    auto* scroll = new QScrollArea;
    scroll->setObjectName("pivotScroll");
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    content->setObjectName("pivotRows");
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(3);
    scroll->setWidget(content);
    keepWidth(*scroll, *layout);
    outer->addWidget(scroll, 1);
    hint_ = secondary("pivotHint");
    layout->addWidget(hint_);
    basis_ = new QLabel;
    basis_->setObjectName("basisKappa");
    basis_->setToolTip(
        tr("1 / cos of the angle by which the directions of motion have turned out of the basis: 1 when up to date"));
    renew_ = new QPushButton(tr("Renew basis now"));
    renew_->setObjectName("renewBasis");
    layout->addWidget(basis_);
    layout->addWidget(renew_, 0, Qt::AlignLeft);
    positions_ = new SelectionList;
    positions_->setObjectName("positionSelection");
    velocities_ = new SelectionList;
    velocities_->setObjectName("velocitySelection");
    layout->addWidget(positions_);
    layout->addWidget(velocities_);
    history_ = secondary("pivotHistory");
    layout->addWidget(history_);
    layout->addStretch(1);
    connectActs();
}

void PivotPanel::connectActs()
{
    connect(automatic_, &QCheckBox::clicked, this, [this](bool on) {
        const auto status = document_.shown(document_.bench().selected());
        if (on)
            document_.control().setPivot(document_.bench().selected(), run::PivotChoice{});
        else if (!status.stages.empty())
            pinPresent();
        else
            pin(status.positionDummies, status.dummies);
        refresh();
    });
    connect(positions_, &SelectionList::picked, this, [this](const std::vector<int>& positions) {
        if (!document_.shown(document_.bench().selected()).stages.empty())
            return pinStage(0, positions);
        pin(positions, document_.shown(document_.bench().selected()).dummies);
    });
    connect(velocities_, &SelectionList::picked, this, [this](const std::vector<int>& velocities) {
        const auto status = document_.shown(document_.bench().selected());
        if (!status.stages.empty())
            return pinStage(1, velocities);
        pin(status.positionCandidates.empty() ? velocities : status.positionDummies, velocities);
    });
    connect(renew_, &QPushButton::clicked, this, [this] {
        document_.control().renewBasis(document_.bench().selected());
        refresh();
    });
}

void PivotPanel::pin(std::vector<int> positions, std::vector<int> velocities)
{
    const auto status = document_.shown(document_.bench().selected());
    document_.control().setPivot(document_.bench().selected(), pinOf(document_.system(), status, positions, velocities));
    refresh();
}

void PivotPanel::pinStage(std::size_t k, const std::vector<int>& places)
{
    const auto status = document_.shown(document_.bench().selected());
    const auto& values = document_.system().values;
    run::PivotChoice choice;
    choice.automatic = false;
    for (std::size_t s = 0; s < status.stages.size(); ++s) {
        if (s != k && status.stages[s].block == status.stages[std::min(k, status.stages.size() - 1)].block
            && status.stages[s].stage > 1)
            continue; // what remains in the lower stages follows from the first
        for (const int p : s == k ? places : status.stages[s].selected)
            choice.dummies.push_back(values[static_cast<std::size_t>(p)].name);
    }
    document_.control().setPivot(document_.bench().selected(), choice);
    refresh();
}

void PivotPanel::pinPresent()
{
    const auto status = document_.shown(document_.bench().selected());
    const auto& values = document_.system().values;
    run::PivotChoice choice;
    choice.automatic = false;
    for (const int p : status.valueDummies)
        choice.dummies.push_back(values[static_cast<std::size_t>(p)].name);
    document_.control().setPivot(document_.bench().selected(), choice);
}

void PivotPanel::refreshStages(const run::RunStatus& status)
{
    QStringList names;
    for (const auto& value : document_.system().values)
        names << QString::fromStdString(value.name);
    SelectionList* const lists[] = {positions_, velocities_};
    for (std::size_t k = 0; k < std::size(lists); ++k) {
        std::vector<formulation::PivotCandidate> candidates;
        std::vector<int> dummies;
        QString heading;
        if (k < status.stages.size()) {
            const auto& stage = status.stages[k];
            dummies = stage.selected;
            std::ranges::sort(dummies);
            candidates.push_back({-1, -1, stage.kappa});
            if (k < status.exchanges.size())
                for (const auto& exchange : status.exchanges[k])
                    candidates.push_back({exchange.leaves, exchange.enters, exchange.kappa});
            heading = status.stages.size() == 1 ? tr("Dummy derivatives")
                                                : tr("Dummies of block %1, stage %2").arg(stage.block + 1).arg(stage.stage);
        }
        lists[k]->show(heading, names, dummies, candidates);
    }
    const bool chooses = !status.stages.empty();
    const auto more = static_cast<int>(status.stages.size()) - static_cast<int>(std::size(lists));
    hint_->setText(!chooses ? tr("The equations leave no choice among their derivatives.")
                            : tr("%n more stages leave a choice: see Structure.", nullptr, more));
    hint_->setVisible(!chooses || more > 0);
    automatic_->setVisible(chooses);
    automatic_->setChecked(status.settings.pivot.automatic);
    history_->setVisible(chooses);
}

void PivotPanel::showBasis(const formulation::FormulationInfo& info, const run::RunStatus& status)
{
    const bool based = hasBasis(info);
    basis_->setVisible(based);
    renew_->setVisible(based);
    if (!based)
        return;
    const bool follows = formulation::optionOf(info, status.settings.choices, "basis").starts_with("continuous");
    basis_->setText(follows ? tr("κ of the basis = 1.00") : tr("κ of the basis = %1").arg(kappaText(status.kappa)));
    renew_->setEnabled(!follows);
    renew_->setToolTip(
        follows ? tr("A continuous basis follows the motion by itself")
                : tr("Take the basis anew at the present position. It acts at once and stands on the time line; it changes "
                     "no setting, so there is nothing to undo"));
}

void PivotPanel::showHistory(run::RunId run)
{
    QStringList lines;
    const auto events = document_.laboratory().events(run);
    constexpr double kNow = std::numeric_limits<double>::infinity();
    const double until = document_.lookBack().looksBack() ? document_.laboratory().clock().t : kNow;
    for (auto event = events.rbegin(); event != events.rend() && lines.size() < kHistoryLines; ++event)
        if (event->t > until)
            continue; // it has not happened yet where one looks
        else if (const QString line = historyLine(*event); !line.isEmpty())
            lines << QStringLiteral("%1 s  %2").arg(fixedText(event->t, 2), line);
    const QString none = basis_->isHidden() ? tr("No pivots yet") : tr("Not renewed yet");
    history_->setText(lines.isEmpty() ? none : lines.join('\n'));
}

/// There is no run: what was chosen before belongs to another model.
void PivotPanel::showNothing()
{
    title_->setText(tr("Pivot"));
    for (QWidget* of : {static_cast<QWidget*>(automatic_), static_cast<QWidget*>(hint_), static_cast<QWidget*>(basis_),
                        static_cast<QWidget*>(renew_), static_cast<QWidget*>(history_)})
        of->hide();
    for (SelectionList* list : {positions_, velocities_}) {
        list->show({}, {}, {}, {});
        list->hide();
    }
}

void PivotPanel::refresh()
{
    const RunEntry* run = document_.find(document_.bench().selected());
    setEnabled(run != nullptr);
    if (!run)
        return showNothing();
    const auto status = document_.shown(run->key);
    const auto* form = formulation::findFormulation(status.settings.formulation);
    if (!form)
        return;
    const bool pivots = form->info().pivots && !status.candidates.empty();
    const bool apart = pivots && !status.positionCandidates.empty();
    showBasis(form->info(), status);
    const bool based = !basis_->isHidden();
    const QString whose = document_.lookBack().differs(run->key) ? tr("%1 then").arg(run->name) : run->name;
    if (document_.compiled().model().reduced) {
        title_->setText(tr("Dummies of %1").arg(whose));
        refreshStages(status);
        showHistory(run->id);
        return;
    }
    title_->setText((based ? tr("Basis of %1") : tr("Pivot of %1")).arg(whose));
    // Forms without a choice of their own show what a pivot would have to choose from: where the motion is well described.
    const bool free = document_.system().constraints.empty() && document_.system().oneSided.empty(); // in every mode
    hint_->setText(free ? tr("There is nothing to choose without constraints.")
                        : tr("%1 has no pivot to choose.").arg(QString::fromStdString(form->info().id)));
    hint_->setVisible(!pivots && !based);
    automatic_->setVisible(pivots);
    history_->setVisible(pivots || based);
    automatic_->setChecked(status.settings.pivot.automatic);
    QStringList positions, velocities;
    for (const auto& c : document_.system().coordinates) {
        positions << QString::fromStdString(c.name);
        velocities << QString::fromStdString(c.velocity.name);
    }
    const std::vector<formulation::PivotCandidate> none;
    positions_->show(tr("Positions"), positions, status.positionDummies, apart ? status.positionCandidates : none);
    velocities_->show(apart ? tr("Velocities") : QString(), apart ? velocities : positions, status.dummies,
                      pivots ? status.candidates : none);
    if (pivots || based)
        showHistory(run->id);
}

} // namespace driftless::ui
