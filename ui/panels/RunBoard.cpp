#include "ui/panels/RunBoard.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/panels/Icons.h"
#include "ui/panels/RunCard.h"

namespace driftless::ui {

namespace {

// Lengths in pixels before scaling.
constexpr int kHeaderHeight = 22, kStripHeight = 62, kDetailsHeight = 224;
constexpr int kSheetWidth = 336, kSheetMargin = 8, kSheetEdge = 2;

/// Smaller first, or larger; what has no figure comes last either way.
bool comesBefore(double a, double b, bool reversed)
{
    if (std::isnan(a) || std::isnan(b))
        return !std::isnan(a);
    return reversed ? std::abs(a) > std::abs(b) : std::abs(a) < std::abs(b);
}

} // namespace

// --- the sheet ---

RunSheet::RunSheet(QWidget* over) : QFrame(over)
{
    setObjectName("runSheet");
    setProperty("role", "card");
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(kSheetEdge, kSheetEdge, kSheetEdge, kSheetEdge);
    rows->setSpacing(0);
    auto* words = new QWidget;
    words->setObjectName("runSheetWords");
    contents_ = new QVBoxLayout(words);
    contents_->setContentsMargins(0, 0, 0, 0);
    contents_->setSpacing(0);
    auto* scroll = new QScrollArea; // a low scene, or large type
    scroll->setObjectName("runSheetScroll");
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(words);
    words->setAutoFillBackground(false);
    rows->addWidget(scroll, 1);
    close_ = new QToolButton;
    close_->setObjectName("runSheetClose");
    close_->setText(tr("Close"));
    close_->setToolTip(tr("Close these settings"));
    close_->setFocusPolicy(Qt::TabFocus);
    rows->addWidget(close_, 0, Qt::AlignRight);
    hide();
    over->installEventFilter(this);
}

void RunSheet::place()
{
    const int left = inset_ + kSheetMargin, width = std::min(maximumWidth(), parentWidget()->width() - left - kSheetMargin);
    const QMargins frame = contentsMargins();
    const int inside = width - 2 * kSheetEdge - frame.left() - frame.right();
    contents_->activate();
    const int words =
        std::max(contents_->hasHeightForWidth() ? contents_->heightForWidth(inside) : 0, contents_->sizeHint().height());
    const int wanted = words + close_->sizeHint().height() + 2 * kSheetEdge + frame.top() + frame.bottom();
    setGeometry(left, kSheetMargin, width, std::min(wanted, parentWidget()->height() - 2 * kSheetMargin));
}

bool RunSheet::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

// --- the board ---

RunBoard::RunBoard(Document& document, QAction& addRun, QWidget* over) : QObject(over), document_(document)
{
    makeHeader(addRun);
    makeColumn();
    makeChips();
    sheet_ = new RunSheet(over);
    sheet_->contents()->insertWidget(0, details_);
    connect(sheet_->closer(), &QToolButton::clicked, this, [this] {
        if (const RunCard* card = selectedCard())
            dismissed_[card->key()] = card->failure();
        openDetails(false);
    });
}

void RunBoard::makeHeader(QAction& addRun)
{
    header_ = new QWidget;
    header_->setObjectName("runHeader");
    auto* layout = new QHBoxLayout(header_);
    layout->setContentsMargins(RunRow::kSide, 0, RunRow::kSide, 0);
    layout->setSpacing(0);
    const struct {
        const char* name;
        QString tip;
    } heads[] = {{"sort_run", tr("The runs in their own order; again: the other way round")},
                 {"sort_residual", tr("Position residual: how far the constraints are from being met. Click: sort by it")},
                 {"sort_energy", tr("Energy error in joules, less the work done. Click: sort by it")},
                 {"sort_error", tr("Largest difference of a coordinate from the reference run. Click: sort by it")}};
    for (std::size_t i = 0; i < std::size(heads); ++i) {
        auto* head = new QPushButton;
        head->setObjectName(heads[i].name);
        head->setToolTip(heads[i].tip);
        head->setProperty("role", "head");
        head->setProperty("part", i == 0 ? "first" : "number");
        head->setFocusPolicy(Qt::TabFocus);
        head->setSizePolicy(i == 0 ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Expanding);
        connect(head, &QPushButton::clicked, this, [this, i] { sortBy(static_cast<RunRow::Column>(i)); });
        layout->addWidget(head);
        heads_[i] = head;
    }
    add_ = new QPushButton(tr("+ Run"));
    add_->setObjectName("addRunButton");
    add_->setToolTip(tr("Another run from the same start, with the settings of the selected one (Ctrl+R)"));
    add_->setAccessibleName(tr("Add run"));
    add_->setProperty("role", "small"); // as wide as the buttons below it
    connect(add_, &QPushButton::clicked, &addRun, &QAction::trigger);
    layout->addSpacing(RunRow::kGap);
    layout->addWidget(add_);
    showHeader();
}

void RunBoard::makeColumn()
{
    column_ = new QFrame;
    column_->setObjectName("runBoard");
    column_->setProperty("role", "dock");
    columnRows_ = new QVBoxLayout(column_);
    columnRows_->setContentsMargins(0, 0, 0, 0);
    columnRows_->setSpacing(0);
    list_ = new QWidget;
    list_->setObjectName("runList");
    rows_ = new QVBoxLayout(list_);
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(0);
    rows_->addStretch(1);
    const auto pages = [](const char* name) {
        auto* made = new QFrame;
        made->setObjectName(name);
        auto* layout = new QVBoxLayout(made);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        return made;
    };
    strips_ = pages("runStrips");
    details_ = pages("runDetails");
    columnRows_->addWidget(header_);
    columnRows_->addWidget(list_);
    columnRows_->addWidget(strips_);
}

void RunBoard::makeChips()
{
    chips_ = new QFrame;
    chips_->setObjectName("runChips");
    chips_->setProperty("role", "dock");
    chips_->hide();
    chipRow_ = new QHBoxLayout(chips_);
    chipRow_->setContentsMargins(6, 2, 6, 2);
    chipRow_->setSpacing(4);
    chipRow_->addStretch(1);
}

void RunBoard::setTall(bool tall)
{
    if (tall == tall_)
        return;
    tall_ = tall;
    if (tall)
        columnRows_->addWidget(details_);
    else
        sheet_->contents()->insertWidget(0, details_);
    setTheme(*theme_, scale_);
    showSheet();
}

void RunBoard::setInset(int pixels)
{
    sheet_->setInset(pixels);
    sheet_->place();
}

// --- runs ---

void RunBoard::clear()
{
    keep({});
    open_ = false;
    dismissed_.clear();
    sorted_ = RunRow::Column::Run;
    reversed_ = false;
    showHeader();
    showSheet();
}

/// All that are not among these go.
void RunBoard::keep(const std::vector<int>& keys)
{
    std::erase_if(shown_, [&keys](const Shown& one) {
        if (std::ranges::find(keys, one.key) != keys.end())
            return false;
        for (QWidget* part : {static_cast<QWidget*>(one.row), one.card->strip(), static_cast<QWidget*>(one.card),
                              static_cast<QWidget*>(one.chip)}) {
            part->hide();
            part->setObjectName({}); // what comes in its place is found by that name
            part->deleteLater();     // a click on it may be what brought us here
        }
        return true;
    });
}

void RunBoard::add(int key)
{
    Shown one{.key = key,
              .row = new RunRow(document_, key),
              .card = new RunCard(document_, key),
              .chip = new RunChip(document_, key)};
    rows_->insertWidget(rows_->count() - 1, one.row);
    strips_->layout()->addWidget(one.card->strip());
    details_->layout()->addWidget(one.card);
    chipRow_->insertWidget(chipRow_->count() - 1, one.chip);
    connect(one.chip, &QAbstractButton::clicked, this, [this, key] {
        const bool again = key == document_.bench().selected();
        document_.bench().select(key);
        for (const Shown& other : shown_)
            other.chip->setChecked(other.key == key); // a click on a checked button would let it go
        emit chipClicked(again);
    });
    connect(one.card, &RunCard::detailsAsked, this, &RunBoard::openDetails);
    connect(one.row, &RunRow::reasonAsked, this, [this, key] {
        dismissed_.erase(key);
        showSheet();
    });
    shown_.push_back(one);
}

void RunBoard::showRuns()
{
    std::vector<int> keys;
    for (const RunEntry& run : document_.runs())
        keys.push_back(run.key);
    const auto before = order();
    keep(keys);
    for (const int key : keys)
        if (std::ranges::find(shown_, key, &Shown::key) == shown_.end())
            add(key);
    if (sorted_ == RunRow::Column::Run)
        arrange();
    if (before != order())
        setTheme(*theme_, scale_);
    for (const Shown& one : shown_) {
        one.row->showEntry();
        one.row->setTheme(*theme_, scale_);
        one.card->showEntry();
        const bool selected = one.key == document_.bench().selected();
        one.card->strip()->setVisible(selected);
        one.card->setVisible(selected);
    }
    showSheet();
}

void RunBoard::showSettings(int key)
{
    for (const Shown& one : shown_)
        if (one.key == key) {
            one.row->showSettings();
            one.card->showSettings();
        }
}

void RunBoard::refresh(double t)
{
    for (const Shown& one : shown_) {
        if (!document_.find(one.key))
            continue;
        one.row->showSettings();
        one.row->showFigures(t);
        one.card->showSettings();
        one.card->showCost();
        if (!chips_->isHidden())
            one.chip->show(t);
    }
    showSheet();
}

void RunBoard::setTheme(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    const auto px = [scale](int length) { return qRound(length * scale); };
    add_->setFixedSize(px(2 * RunRow::kButton), px(RunRow::kButton));
    header_->setFixedHeight(px(kHeaderHeight));
    for (std::size_t i = 1; i < std::size(heads_); ++i)
        heads_[i]->setFixedWidth(px(RunRow::kNumberWidths[i - 1]));
    list_->setFixedHeight(RunList::kMost * px(RunRow::kHeight));
    strips_->setFixedHeight(px(kStripHeight));
    details_->setMinimumHeight(tall_ ? px(kDetailsHeight) : 0);
    details_->setMaximumHeight(tall_ ? px(kDetailsHeight) : QWIDGETSIZE_MAX);
    const double chipScale = stageScale_ > 0 ? stageScale_ : scale;
    chips_->setFixedHeight(qRound(RunChip::kHeight * chipScale));
    sheet_->setMaximumWidth(px(kSheetWidth));
    for (const Shown& one : shown_) {
        one.row->setTheme(theme, scale);
        one.card->setTheme(theme);
        one.chip->setTheme(theme, chipScale);
    }
}

void RunBoard::setStaged(bool on, double chipScale)
{
    stageScale_ = on ? chipScale : 0;
    setTheme(*theme_, scale_);
    refresh(document_.hasModel() ? document_.laboratory().clock().t : 0);
}

// --- order ---

std::vector<int> RunBoard::order() const
{
    std::vector<int> keys;
    for (const Shown& one : shown_)
        keys.push_back(one.key);
    return keys;
}

void RunBoard::sortBy(RunRow::Column column)
{
    reversed_ = column == sorted_ && !reversed_;
    sorted_ = column;
    arrange();
    showHeader();
}

/// By the figures as they are now: rows that changed places while one reads them could not be clicked.
void RunBoard::arrange()
{
    std::vector<Shown> own;
    for (const RunEntry& run : document_.runs())
        if (const auto found = std::ranges::find(shown_, run.key, &Shown::key); found != shown_.end())
            own.push_back(*found);
    shown_ = std::move(own);
    if (sorted_ != RunRow::Column::Run)
        std::ranges::stable_sort(shown_, [this](const Shown& a, const Shown& b) {
            return comesBefore(a.row->value(sorted_), b.row->value(sorted_), reversed_);
        });
    else if (reversed_)
        std::ranges::reverse(shown_);
    int place = 0;
    for (const Shown& one : shown_) {
        rows_->insertWidget(place, one.row);
        chipRow_->insertWidget(place++, one.chip);
    }
}

void RunBoard::showHeader()
{
    const QString words[] = {tr("Run"), tr("|g|"), tr("ΔE"), tr("Δq")};
    for (std::size_t i = 0; i < std::size(heads_); ++i) {
        const bool sorted = static_cast<RunRow::Column>(i) == sorted_ && (i > 0 || reversed_);
        const QString mark = reversed_ ? QStringLiteral(" ▼") : QStringLiteral(" ▲");
        heads_[i]->setText(sorted ? words[i] + mark : words[i]);
        heads_[i]->setAccessibleName(tr("Sort by %1").arg(words[i]));
    }
}

// --- details ---

RunCard* RunBoard::selectedCard() const
{
    const auto found = std::ranges::find(shown_, document_.bench().selected(), &Shown::key);
    return found == shown_.end() ? nullptr : found->card;
}

void RunBoard::openDetails(bool open)
{
    open_ = open;
    showSheet();
}

/// A run that stopped says why without being asked, until that was read and put away.
void RunBoard::showSheet()
{
    const RunCard* card = selectedCard();
    if (card && card->failure().isEmpty())
        dismissed_.erase(card->key());
    const bool stopped = card && !card->failure().isEmpty() && card->failure() != dismissed_[card->key()];
    const bool shown = card && !tall_ && stageScale_ == 0 && (open_ || stopped);
    for (const Shown& one : shown_)
        one.card->showOpen(shown, !tall_);
    sheet_->setVisible(shown);
    if (!shown)
        return;
    sheet_->place();
    sheet_->raise();
}

} // namespace driftless::ui
