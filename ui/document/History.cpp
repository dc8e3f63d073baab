#include "ui/document/History.h"

#include <algorithm>

namespace driftless::ui {

bool DocumentCommand::inForceAt(double t) const
{
    return std::ranges::count_if(acts_, [t](double act) { return act <= t; }) % 2 == 1;
}

void DocumentCommand::forgetBeyond(double t)
{
    if (!inForceAt(t))
        setObsolete(true);
    std::erase_if(acts_, [t](double act) { return act > t; });
}

namespace {

EntryMark markAt(const QUndoStack& stack, int place)
{
    const auto* command = dynamic_cast<const DocumentCommand*>(stack.command(place));
    return command ? command->mark() : EntryMark{};
}

} // namespace

History::History(QObject* parent) : QObject(parent)
{
    undo_.setUndoLimit(kUndoLimit);
    connect(&undo_, &QUndoStack::indexChanged, this, &History::dropObsolete);
    connect(&undo_, &QUndoStack::indexChanged, this, &History::changed);
}

History::~History()
{
    undo_.disconnect(this);
    undo_.clear();
}

int History::open()
{
    origins_.try_emplace(++documents_);
    return documents_;
}

int History::openAlone(const DocumentOrigin& origin)
{
    undo_.clear();
    origins_.clear();
    origins_[++documents_] = origin;
    return documents_;
}

void History::push(DocumentCommand* command, int document, Opens opens)
{
    restoreCut();
    command->setMark({.document = document, .opens = opens == Opens::NewDocument, .serial = ++serials_});
    const bool full = undo_.index() == undo_.undoLimit();
    const EntryMark oldest = markAt(undo_, 0);
    for (int i = undo_.index(); i < undo_.count(); ++i) // what could be done again is not any more
        if (const EntryMark mark = markAt(undo_, i); mark.opens && mark.document != document)
            origins_.erase(mark.document);
    undo_.push(command);
    if (full && markAt(undo_, 0).serial != oldest.serial) { // it fell off, and cannot be undone
        if (oldest.opens)
            origins_.erase(origins_.begin(), origins_.lower_bound(oldest.document)); // nothing leads back to those before
        else
            origins_[oldest.document].fallen = oldest.serial;
    }
    emit changed();
}

void History::noteSaved(int document, const QString& path, const QByteArray& digest, const std::optional<std::string>& typed)
{
    origins_[document] = {.sessionPath = path,
                          .saved = lastEdit(document),
                          .fallen = origins_[document].fallen,
                          .digest = digest,
                          .typed = typed};
    emit changed();
}

DocumentCommand* History::entryAt(int place)
{
    // The stack owns its entries and shows them as constant; what is changed through this is theirs and not the stack's.
    return const_cast<DocumentCommand*>(dynamic_cast<const DocumentCommand*>(undo_.command(place)));
}

void History::cutAt(double t)
{
    const auto reaches = [&](int place) {
        DocumentCommand* entry = entryAt(place);
        return entry && entry->cutAt(t);
    };
    for (int i = undo_.index() - 1; i >= 0 && reaches(i); --i) {}
    for (int i = undo_.index(); i < undo_.count() && reaches(i); ++i) {}
    cut_ = t;
    // Later: an entry may be at work on the stack just now.
    QMetaObject::invokeMethod(
        this,
        [this] {
            cut_.reset();
            dropObsolete();
        },
        Qt::QueuedConnection);
}

void History::rewound()
{
    for (int i = undo_.index(); i < undo_.count(); ++i)
        if (DocumentCommand* entry = entryAt(i); !entry || !entry->rewound())
            break;
}

void History::restoreCut()
{
    const auto cut = std::exchange(cut_, std::nullopt);
    const auto next = [this] { return entryAt(undo_.index()); };
    for (DocumentCommand* entry = next(); cut && entry && !entry->isObsolete() && entry->inForceAt(*cut); entry = next()) {
        entry->setDone();
        undo_.redo();
    }
}

void History::dropObsolete()
{
    const auto obsolete = [this](int place) {
        const QUndoCommand* entry = place >= 0 ? undo_.command(place) : nullptr;
        return entry && entry->isObsolete();
    };
    if (obsolete(undo_.index() - 1))
        undo_.undo(); // which deletes it, and comes back here
    else if (obsolete(undo_.index()))
        undo_.redo();
}

quint64 History::lastEdit(int document) const
{
    for (int i = undo_.index() - 1; i >= 0; --i)
        if (const EntryMark mark = markAt(undo_, i); mark.document == document && !mark.opens)
            return mark.serial;
    const auto found = origins_.find(document);
    return found == origins_.end() ? 0 : found->second.fallen;
}

bool History::isUnsaved(int document) const
{
    const DocumentOrigin& from = origin(document);
    return from.restored || lastEdit(document) != from.saved;
}

std::vector<int> History::unsavedNumbers(int document) const
{
    std::vector<int> out;
    for (const auto& [other, origin] : origins_) {
        const bool edited = origin.restored || lastEdit(other) != 0; // not undone again
        if (other != document && !origin.exercise && ((edited && isUnsaved(other)) || origin.leftTyped || origin.leftLogged))
            out.push_back(other);
    }
    return out;
}

QStringList History::unsavedBeside(int document) const
{
    QStringList out;
    for (const int other : unsavedNumbers(document))
        out << origin(other).name;
    return out;
}

} // namespace driftless::ui
