// Pictures of Home's cards, kept from one opening to the next in the user's cache folder. A card is found by the text of its
// model, the program that drew it, its size and its theme, so that nothing kept is ever stale. Where there is no such folder,
// or nothing can be written, every picture is drawn anew, as if none had been kept.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

#include <optional>

#include "ui/panels/HomeEntries.h"

namespace driftless::ui {

class HomePictures {
public:
    static constexpr int kMostFiles = 500;                    ///< the shipped models in two themes, twice over
    static constexpr qint64 kMostBytes = Q_INT64_C(24) << 20; ///< together

    struct Card {
        HomeFacts facts;
        QImage picture; ///< null where the model draws nothing
    };

    /// folder: where they are kept; empty: the user's cache.
    explicit HomePictures(QString folder = {});

    /// What a card is found by; empty where the text cannot be read.
    static QByteArray keyOf(const QString& opens, QSize size, bool dark);
    std::optional<Card> find(const QByteArray& key) const;
    /// The oldest ones go where there are too many.
    void keep(const QByteArray& key, const Card& card) const;

private:
    QString pathOf(const QByteArray& key) const;
    void makeRoom() const;

    QString folder_;
};

} // namespace driftless::ui
