#include "ui/panels/CommandPalette.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/panels/FuzzyMatch.h"

namespace driftless::ui {

namespace {

constexpr int kPaletteWidth = 640, kPaletteHeight = 420, kFromTop = 56, kRowPadding = 12;
constexpr int kMostListed = 200; ///< rows; nobody scrolls further
enum PaletteRole { kPlaceRole = Qt::UserRole, kKindRole, kKeyRole, kWhyNotRole };

/// The words, what kind of thing it is, the key at the right; what is impossible with its reason in place of the kind.
class PaletteDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {option.rect.width(), 2 * option.fontMetrics.height() + 8};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override
    {
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        option.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        const QString why = index.data(kWhyNotRole).toString();
        const QPalette::ColorGroup group = why.isEmpty() ? QPalette::Active : QPalette::Disabled;
        const QRect room = option.rect.adjusted(kRowPadding, 4, -kRowPadding, -4);
        const QFontMetrics metrics(option.font);
        painter->setFont(option.font);
        const QString key = index.data(kKeyRole).toString();
        const int keyWidth = key.isEmpty() ? 0 : metrics.horizontalAdvance(key) + kRowPadding;
        painter->setPen(option.palette.color(QPalette::Active, QPalette::Text));
        painter->drawText(room, Qt::AlignRight | Qt::AlignTop, key);
        painter->setPen(option.palette.color(group, QPalette::Text));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignTop,
                          metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room.width() - keyWidth));
        // The second line is as legible as any secondary text, also of what is impossible: it says why.
        painter->setPen(secondary_);
        const QString second = why.isEmpty() ? index.data(kKindRole).toString() : why;
        painter->drawText(room, Qt::AlignLeft | Qt::AlignBottom, metrics.elidedText(second, Qt::ElideRight, room.width()));
    }
    void setSecondary(const QColor& colour) { secondary_ = colour; }

private:
    QColor secondary_ = Qt::gray;
};

/// Between the text and its ground, nearer to the text: 4.5 to 1 and more in both themes.
QColor secondaryOf(const QPalette& palette)
{
    constexpr double kShare = 0.3;
    const QColor text = palette.color(QPalette::Text), ground = palette.color(QPalette::Base);
    const auto at = [](int a, int b) { return qRound(a + kShare * (b - a)); };
    return QColor(at(text.red(), ground.red()), at(text.green(), ground.green()), at(text.blue(), ground.blue()));
}

} // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint), entries_(std::move(entries))
{
    setObjectName("commandPalette");
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("role", "card");
    field_ = new QLineEdit;
    field_->setObjectName("paletteField");
    field_->setPlaceholderText(
        tr("What to do or to open: an action, a model, a formulation, an integrator, a lesson, a study"));
    field_->setAccessibleName(tr("Search"));
    list_ = new QListWidget;
    list_->setObjectName("paletteList");
    list_->setAccessibleName(tr("What fits"));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(true);
    auto* delegate = new PaletteDelegate(list_);
    delegate->setSecondary(secondaryOf(palette()));
    list_->setItemDelegate(delegate);
    nothing_ = new QLabel;
    nothing_->setObjectName("paletteNothing");
    nothing_->setTextFormat(Qt::PlainText);
    nothing_->setWordWrap(true);
    nothing_->setAlignment(Qt::AlignTop);
    nothing_->setMargin(kRowPadding);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(8, 8, 8, 8);
    rows->addWidget(field_);
    rows->addWidget(list_, 1);
    rows->addWidget(nothing_, 1);
    field_->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(field_, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
    filter();
}

void CommandPalette::open()
{
    const QRect over = parentWidget()->rect();
    const int width = std::min(kPaletteWidth, over.width() - 2 * kRowPadding);
    const int height = std::min(kPaletteHeight, over.height() - 2 * kFromTop);
    const QPoint corner = parentWidget()->mapToGlobal(QPoint((over.width() - width) / 2, kFromTop));
    setGeometry(QRect(corner, QSize(width, height)));
    show();
    field_->setFocus();
}

QStringList CommandPalette::listed() const
{
    QStringList ids;
    for (int row = 0; row < list_->count(); ++row)
        ids << entries_[list_->item(row)->data(kPlaceRole).toULongLong()].id;
    return ids;
}

void CommandPalette::filter()
{
    std::vector<std::pair<int, std::size_t>> found; // what fits best first, else in the order of the entries
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const PaletteEntry& entry = entries_[i];
        // What stands in front is what is called by this name; names in files and sources count less.
        const int named = fuzzyScore(field_->text(), entry.words);
        const int more = fuzzyScore(field_->text(), entry.words + u' ' + entry.kind + u' ' + entry.more);
        const int called = fuzzyScore(field_->text(), entry.id.section(u'/', 1)); // as files and commands call it
        if (more >= 0)
            found.emplace_back(-std::max({2 * named, more, called}), i);
    }
    std::ranges::stable_sort(found, {}, &std::pair<int, std::size_t>::first);
    if (found.size() > kMostListed && !field_->text().isEmpty())
        found.resize(kMostListed);
    list_->clear();
    for (const auto& [score, place] : found) {
        const PaletteEntry& entry = entries_[place];
        auto* item = new QListWidgetItem(entry.words, list_);
        item->setData(kPlaceRole, static_cast<qulonglong>(place));
        item->setData(kKindRole, entry.kind);
        item->setData(kKeyRole, entry.shortcut);
        if (entry.whyNot)
            item->setData(kWhyNotRole, entry.whyNot());
    }
    list_->setCurrentRow(0);
    list_->setVisible(!found.empty());
    nothing_->setVisible(found.empty());
    nothing_->setText(tr("Nothing is called “%1”. A few letters of a name are enough.").arg(field_->text()));
}

void CommandPalette::run()
{
    const auto* item = list_->currentItem();
    if (!item)
        return;
    const PaletteEntry entry = entries_[item->data(kPlaceRole).toULongLong()];
    hide(); // before anything opens over the window
    const QString why = entry.whyNot ? entry.whyNot() : QString();
    if (why.isEmpty())
        entry.act();
    else
        emit refused(entry.words, why);
    close();
}

/// The field keeps the focus, and the list is moved from it.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        constexpr int kPage = 8;
        int by = 0;
        switch (key->key()) {
        case Qt::Key_Down:
            by = 1;
            break;
        case Qt::Key_Up:
            by = -1;
            break;
        case Qt::Key_PageDown:
            by = kPage;
            break;
        case Qt::Key_PageUp:
            by = -kPage;
            break;
        case Qt::Key_Escape:
            close();
            return true;
        default:
            break;
        }
        if (by != 0 && list_->count() > 0) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + by, 0, list_->count() - 1));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace driftless::ui
