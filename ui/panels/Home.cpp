#include "ui/panels/Home.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/lesson/Lesson.h"
#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/CompiledSystem.h"
#include "ui/panels/FuzzyMatch.h"
#include "ui/panels/HomeMotion.h"
#include "ui/panels/HomeStructure.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr int kPictureWidth = 170, kPictureHeight = 102, kCardWidth = 186, kCardHeight = 190, kCardMargin = 8;
constexpr int kSectionsWidth = 168, kFootHeight = 118, kRoomOfButtons = 340;
constexpr int kDrawnSupersample = 2;
constexpr int kPointedMs = 250; ///< a pointer that only passes moves nothing
enum HomeRole { kOpensRole = Qt::UserRole, kPlaceOfEntry, kBadgeRole, kAboutRole, kKindWord };

/// Whether a card is of a model: with degrees of freedom and index.
bool isModel(HomeSection section) { return section > HomeSection::Recent && section < HomeSection::Lessons; }

/// Whether a card shows a model. Recent files are not read for their cards.
bool showsModel(HomeSection section) { return section > HomeSection::Recent && section < HomeSection::Laboratories; }

/// The model whose picture a card has: its own, that of a lesson's first bench, or that of a study's first run.
QString modelOf(const HomeEntry& entry)
{
    const std::string opens = entry.opens.toStdString();
    if (entry.section == HomeSection::Lessons) {
        const auto read = lesson::openLesson(opens);
        return read ? QString::fromStdString(read->setupOf(0).model) : QString();
    }
    if (entry.section == HomeSection::Studies) {
        const auto read = study::openStudy(opens);
        return read && !read->runs.empty() && read->modelText.empty() ? QString::fromStdString(read->runs.front().request.model)
                                                                      : QString();
    }
    return entry.opens;
}

/// The same whether it is selected or not: without the tint of what is chosen.
QIcon iconOf(QImage picture, double ratio)
{
    picture.setDevicePixelRatio(ratio);
    const QPixmap drawn = QPixmap::fromImage(picture);
    QIcon icon(drawn);
    icon.addPixmap(drawn, QIcon::Selected);
    return icon;
}

/// As many lines as the words need, at most so many; the last one is cut where there is more. Where the next line begins.
int paintLines(QPainter& painter, const QRect& room, const QFont& font, const QString& text, int most)
{
    const QFontMetrics metrics(font);
    painter.setFont(font);
    QTextLayout layout(text, font);
    layout.beginLayout();
    int top = room.top();
    for (int number = 1; number <= most; ++number) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(room.width());
        const QString rest = text.mid(line.textStart());
        const QString words =
            number == most ? metrics.elidedText(rest, Qt::ElideRight, room.width()) : rest.left(line.textLength());
        painter.drawText(QRect(room.left(), top, room.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        top += metrics.height();
    }
    layout.endLayout();
    return top;
}

/// A card: picture or the word of its kind, its title, what it is about or shows, a badge.
class CardDelegate final : public QStyledItemDelegate {
public:
    CardDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {kCardWidth, kCardHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool selected = option.state & QStyle::State_Selected;
        const QRectF card = QRectF(option.rect).adjusted(3.5, 3.5, -3.5, -3.5);
        painter->setPen(QPen(selected ? theme_.accent : theme_.line, selected ? 2 : 1));
        painter->setBrush(option.state & QStyle::State_MouseOver ? theme_.window : theme_.surface);
        painter->drawRoundedRect(card, 6, 6);
        const QRect inside = option.rect.adjusted(kCardMargin, kCardMargin, -kCardMargin, -kCardMargin);
        const QRect picture(inside.topLeft(), QSize(inside.width(), kPictureHeight));
        paintPicture(*painter, picture, index);
        const QRect words = inside.adjusted(2, kPictureHeight + 4, -2, 0);
        paintWords(*painter, words, index);
        painter->restore();
    }

private:
    void paintPicture(QPainter& painter, const QRect& room, const QModelIndex& index) const
    {
        const QIcon icon = index.data(Qt::DecorationRole).value<QIcon>();
        if (!icon.isNull()) {
            icon.paint(&painter, room);
            return;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_.window);
        painter.drawRoundedRect(room, 4, 4);
        painter.setPen(theme_.secondary);
        painter.setFont(uiFont(kHeadingPixels));
        painter.drawText(room.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, index.data(kKindWord).toString());
    }

    void paintWords(QPainter& painter, const QRect& room, const QModelIndex& index) const
    {
        constexpr int kMostTitle = 2, kMostLines = 3;
        const QFont bold = uiFont(kTextPixels, QFont::DemiBold), small = uiFont(kTickPixels);
        painter.setPen(theme_.text);
        const int top = paintLines(painter, room, bold, index.data(Qt::DisplayRole).toString(), kMostTitle);
        const int used = (top - room.top()) / QFontMetrics(bold).height();
        painter.setPen(theme_.secondary);
        const QString badge = index.data(kBadgeRole).toString();
        paintLines(painter, room.adjusted(0, top + 1 - room.top(), 0, 0), small, index.data(kAboutRole).toString(),
                   kMostLines + (badge.isEmpty() ? 1 : 0) - used);
        if (!badge.isEmpty()) // on the last line of every card
            paintLines(painter, room.adjusted(0, room.height() - QFontMetrics(small).height(), 0, 0), small, badge, 1);
    }

    Theme theme_;
};

} // namespace

Home::Home(std::vector<HomeEntry> entries, const Theme& theme, QWidget* parent)
    : QDialog(parent), entries_(std::move(entries)), theme_(theme)
{
    setObjectName("home");
    setWindowTitle(tr("Home"));
    const QSize room = parent ? parent->size() : QSize(1280, 720); // of the window it lies over
    resize(std::clamp(room.width() - 120, 880, 1560), std::clamp(room.height() - 60, 540, 980));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(makeTop());
    auto* middle = new QHBoxLayout;
    middle->setSpacing(12);
    middle->addWidget(makeSections());
    list_ = new QListWidget;
    list_->setObjectName("homeList");
    list_->setAccessibleName(tr("What can be opened"));
    list_->setViewMode(QListView::IconMode);
    list_->setMovement(QListView::Static);
    list_->setResizeMode(QListView::Adjust);
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setItemDelegate(new CardDelegate(theme_, list_));
    none_ = new QLabel(tr("Nothing has these words in its name, source or summary."));
    none_->setObjectName("homeNone");
    none_->setProperty("role", "secondary");
    none_->setAlignment(Qt::AlignCenter);
    middle->addWidget(list_, 1);
    middle->addWidget(none_, 1);
    layout->addLayout(middle, 1);
    layout->addWidget(makeFoot());
    for (std::size_t place = 0; place < entries_.size(); ++place)
        addCard(place);
    connect(list_, &QListWidget::itemActivated, this, &Home::openCurrent);
    connect(list_, &QListWidget::currentItemChanged, this, &Home::showAbout);
    connect(list_, &QListWidget::itemEntered, this, &Home::pointAt);
    connect(sections_, &QListWidget::currentRowChanged, this, &Home::filter);
    connect(search_, &QLineEdit::textChanged, this, &Home::filter);
    sections_->setCurrentRow(0);
    filter();
    search_->setFocus();
    for (QWidget* typed : {static_cast<QWidget*>(search_), static_cast<QWidget*>(sections_), static_cast<QWidget*>(list_)})
        typed->installEventFilter(this);
    list_->viewport()->installEventFilter(this);
    motion_ = new HomeMotion(*this);
    connect(motion_, &HomeMotion::drawn, this, [this](const QImage& picture) {
        if (pointed_)
            pointed_->setIcon(iconOf(picture, devicePixelRatioF()));
    });
    pause_.setSingleShot(true);
    pause_.setInterval(kPointedMs);
    connect(&pause_, &QTimer::timeout, this, &Home::startMotion);
    next_.setSingleShot(true);
    connect(&next_, &QTimer::timeout, this, &Home::drawNext);
    next_.start(0);
}

Home::~Home() = default;

QWidget* Home::makeTop()
{
    search_ = new QLineEdit;
    search_->setObjectName("homeSearch");
    search_->setAccessibleName(tr("Search"));
    search_->setPlaceholderText(tr("Search models, lessons, studies and laboratories by name, source or what one learns"));
    search_->setClearButtonEnabled(true);
    return search_;
}

/// "All" and one row for each section that has something, with how much.
QWidget* Home::makeSections()
{
    sections_ = new QListWidget;
    sections_->setObjectName("homeSections");
    sections_->setAccessibleName(tr("Sections"));
    sections_->setFixedWidth(kSectionsWidth);
    auto* all = new QListWidgetItem(tr("All"), sections_);
    all->setData(Qt::UserRole, -1);
    for (const HomeSection section : kHomeSections) {
        const auto count = std::ranges::count(entries_, section, &HomeEntry::section);
        if (count == 0)
            continue;
        auto* item = new QListWidgetItem(tr("%1  %2").arg(homeSectionName(section)).arg(count), sections_);
        item->setData(Qt::UserRole, static_cast<int>(section));
    }
    return sections_;
}

QWidget* Home::makeFoot()
{
    auto* foot = new QWidget;
    foot->setFixedHeight(kFootHeight);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    auto* words = new QVBoxLayout;
    title_ = new QLabel;
    title_->setObjectName("homeTitle");
    title_->setProperty("role", "heading");
    about_ = new QLabel;
    about_->setObjectName("homeAbout");
    about_->setProperty("role", "secondary");
    about_->setWordWrap(true);
    about_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    words->addWidget(title_);
    words->addWidget(about_, 1);
    toTry_ = new QLabel;
    toTry_->setObjectName("homeToTry");
    toTry_->setTextFormat(Qt::PlainText);
    words->addWidget(toTry_);
    row->addLayout(words, 1);
    open_ = new QPushButton(tr("Open"));
    open_->setObjectName("homeOpen");
    open_->setProperty("role", "primary");
    open_->setDefault(true);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setAutoDefault(false);
    try_ = new QPushButton(tr("Try this"));
    try_->setObjectName("homeTry");
    try_->setAutoDefault(false);
    row->addWidget(cancel, 0, Qt::AlignBottom);
    row->addWidget(try_, 0, Qt::AlignBottom);
    row->addWidget(open_, 0, Qt::AlignBottom);
    connect(open_, &QPushButton::clicked, this, &Home::openCurrent);
    connect(try_, &QPushButton::clicked, this, &Home::tryCurrent);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    return foot;
}

void Home::addCard(std::size_t place)
{
    const HomeEntry& entry = entries_[place];
    auto* item = new QListWidgetItem(entry.title, list_);
    item->setData(kOpensRole, entry.opens);
    item->setData(kPlaceOfEntry, static_cast<int>(place));
    item->setData(kAboutRole, entry.shows.isEmpty() ? entry.about : entry.shows);
    item->setData(kBadgeRole, entry.badge);
    item->setData(kKindWord, homeSectionName(entry.section));
    if (showsModel(entry.section))
        undrawn_.push_back(item);
}

const HomeEntry& Home::entryOf(const QListWidgetItem& item) const
{
    return entries_[static_cast<std::size_t>(item.data(kPlaceOfEntry).toInt())];
}

QStringList Home::listed() const
{
    QStringList out;
    for (int row = 0; row < list_->count(); ++row)
        if (!list_->item(row)->isHidden())
            out << list_->item(row)->text();
    return out;
}

void Home::filter()
{
    const QString typed = search_->text().trimmed();
    pointAt(nullptr); // the cards move away below the pointer
    const auto* chosen = sections_->currentItem();
    const int section = chosen ? chosen->data(Qt::UserRole).toInt() : -1;
    std::vector<std::pair<int, QListWidgetItem*>> found; // what fits best first, else in the order of the sections
    for (int row = 0; row < list_->count(); ++row) {
        QListWidgetItem* item = list_->item(row);
        const HomeEntry& entry = entryOf(*item);
        const int score = std::max({2 * fuzzyScore(typed, entry.title), 2 * fuzzyScore(typed, entry.opens),
                                    fuzzyScore(typed, entry.title + ' ' + entry.about + ' ' + entry.more)});
        const bool fits = score >= 0 && (section < 0 || section == static_cast<int>(entry.section));
        item->setHidden(!fits);
        found.emplace_back(fits ? -score : 1, item);
    }
    sortCards(std::move(found));
    QListWidgetItem* best = list_->count() > 0 && !list_->item(0)->isHidden() ? list_->item(0) : nullptr;
    list_->setVisible(best != nullptr);
    none_->setVisible(best == nullptr);
    list_->setCurrentItem(best);
    if (best)
        list_->scrollToItem(best);
    showAbout();
}

/// Moves the cards only where their order changes: all of them are laid out anew then.
void Home::sortCards(std::vector<std::pair<int, QListWidgetItem*>> cards)
{
    const auto before = cards;
    std::ranges::sort(cards, [](const auto& a, const auto& b) {
        const auto place = [](const auto& card) { return card.second->data(kPlaceOfEntry).toInt(); };
        return a.first != b.first ? a.first < b.first : place(a) < place(b);
    });
    if (cards == before)
        return;
    const QSignalBlocker quiet(list_);
    for (const auto& [score, item] : cards) {
        const bool hidden = item->isHidden(); // a list forgets that of what it gives away
        list_->addItem(list_->takeItem(list_->row(item)));
        item->setHidden(hidden);
    }
}

void Home::showAbout()
{
    const QListWidgetItem* item = list_->currentItem();
    open_->setEnabled(item != nullptr);
    showToTry(item ? entryOf(*item) : HomeEntry());
    if (!item) {
        title_->clear();
        about_->clear();
        return;
    }
    const HomeEntry& entry = entryOf(*item);
    const auto facts = facts_.find(entry.opens);
    title_->setText(entry.title);
    const QString description = facts == facts_.end() ? QString() : facts->second.description;
    about_->setText(description.isEmpty() ? entry.about : description);
    about_->setToolTip(description.isEmpty() ? QString() : description + "\n\n" + entry.about);
}

void Home::showToTry(const HomeEntry& entry)
{
    const bool any = !entry.tries.isEmpty();
    toTry_->setVisible(any);
    try_->setVisible(any);
    QString words = entry.toTry; // plain words: marks of Markdown are for the guide
    words = tr("Try this: %1").arg(words.remove(u'`').remove(u'*'));
    toTry_->setText(toTry_->fontMetrics().elidedText(words, Qt::ElideRight, std::max(200, width() - kRoomOfButtons)));
    for (QWidget* one : {static_cast<QWidget*>(toTry_), static_cast<QWidget*>(try_)})
        one->setToolTip(any ? entry.shows + QStringLiteral("\n") + words : QString());
}

void Home::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    sections_->doItemsLayout(); // its rows were measured before they had the style of the window
}

bool Home::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            list_->setFocus();
            QCoreApplication::sendEvent(list_, event);
            return true;
        }
    }
    if ((watched == sections_ || watched == list_) && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool types = !key->text().isEmpty() && key->text().front().isPrint() && key->text() != QStringLiteral(" ");
        if (types && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
            search_->setFocus(); // letters are searched for, wherever they are typed
            search_->insert(key->text());
            return true;
        }
    }
    if (watched == list_->viewport() && event->type() == QEvent::Leave)
        pointAt(nullptr);
    return QDialog::eventFilter(watched, event);
}

void Home::pointAt(QListWidgetItem* item)
{
    if (item == pointed_)
        return;
    motion_->stop();
    if (pointed_)
        pointed_->setIcon(still_);
    pointed_ = nullptr;
    const bool drawn = item && std::ranges::find(undrawn_, item) == undrawn_.end() && !item->icon().isNull();
    if (!drawn) {
        pause_.stop();
        return;
    }
    pointed_ = item;
    still_ = item->icon();
    pause_.start();
}

void Home::startMotion()
{
    if (!pointed_)
        return;
    const auto model = reduction::openModel(modelOf(entryOf(*pointed_)).toStdString());
    const auto compiled =
        model ? model::CompiledSystem::compile(*model) : Result<std::shared_ptr<const model::CompiledSystem>>(model.error());
    if (compiled)
        motion_->play(*compiled, (QSizeF(kPictureWidth, kPictureHeight) * devicePixelRatioF()).toSize(), theme_.dark);
}

void Home::openCurrent()
{
    const QListWidgetItem* item = list_->currentItem();
    if (!item || !isVisible()) // Enter activates the card and then the button
        return;
    const HomeEntry& entry = entryOf(*item);
    if (entry.section == HomeSection::Lessons)
        emit lessonChosen(entry.opens);
    else if (entry.section == HomeSection::Laboratories)
        emit actionChosen(entry.opens);
    else
        emit fileChosen(entry.opens);
    accept();
}

void Home::tryCurrent()
{
    const QListWidgetItem* item = list_->currentItem();
    if (!item || !isVisible() || entryOf(*item).tries.isEmpty())
        return;
    emit lessonChosen(entryOf(*item).tries);
    accept();
}

void Home::drawNext()
{
    if (undrawn_.empty()) {
        delete painter_;
        painter_ = nullptr;
        return;
    }
    const QRect seen = list_->viewport()->rect();
    auto next = std::ranges::find_if(undrawn_, [&](const QListWidgetItem* item) {
        return !item->isHidden() && list_->visualItemRect(item).intersects(seen);
    });
    if (next == undrawn_.end())
        next = undrawn_.begin();
    QListWidgetItem* item = *next;
    undrawn_.erase(next);
    draw(*item);
    if (item == list_->currentItem())
        showAbout();
    next_.start(0);
}

void Home::draw(QListWidgetItem& item)
{
    const HomeEntry& entry = entryOf(item);
    const double ratio = devicePixelRatioF();
    const QSize size = (QSizeF(kPictureWidth, kPictureHeight) * ratio).toSize();
    const QString model = modelOf(entry);
    const QByteArray key = HomePictures::keyOf(model, size, theme_.dark);
    auto card = pictures_.find(key);
    if (!card) {
        card = drawn(model, size);
        if (!card)
            return;
        const bool failed = painter_ && !painter_->problem().isEmpty(); // no OpenGL today
        if (!failed)
            pictures_.keep(key, *card);
    }
    if (isModel(entry.section)) {
        item.setData(kBadgeRole, card->facts.badge);
        facts_[entry.opens] = std::move(card->facts);
    }
    if (!card->picture.isNull())
        item.setIcon(iconOf(card->picture, ratio));
}

std::optional<HomePictures::Card> Home::drawn(const QString& name, QSize size)
{
    if (name.isEmpty())
        return {};
    const auto model = reduction::openModel(name.toStdString());
    if (!model)
        return {};
    const auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return {};
    HomePictures::Card card{.facts = homeFacts(*compiled), .picture = {}};
    if ((*model)->system.visuals.empty()) {
        if ((*model)->reduced)
            card.picture = structurePicture(*(*model)->reduced->used, size, theme_);
        return card;
    }
    if (!painter_) {
        painter_ = new SceneView(this);
        painter_->hide();
        painter_->setDark(theme_.dark);
    }
    painter_->setModel(*compiled);
    card.picture = painter_->grabImage(size, kDrawnSupersample);
    return card;
}

} // namespace driftless::ui
