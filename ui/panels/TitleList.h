// A list whose rows begin with a mark, "2/6   A title": letters that are typed look for the title.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QListWidget>

#include <algorithm>

namespace driftless::ui {

class TitleList : public QListWidget {
public:
    static constexpr int kTitleRole = Qt::UserRole + 1;

    using QListWidget::QListWidget;

    /// To the next title that begins with what was typed without a pause; if there is none, to one that holds it.
    void keyboardSearch(const QString& search) override
    {
        const bool goesOn = since_.isValid() && since_.elapsed() < QApplication::keyboardInputInterval();
        since_.start();
        typed_ = goesOn ? typed_ + search : search;
        const auto found = [this](bool begins, int from) {
            for (int k = 0; k < count(); ++k) {
                const int row = (from + k) % count();
                const QString title = item(row)->data(kTitleRole).toString();
                if (begins ? title.startsWith(typed_, Qt::CaseInsensitive) : title.contains(typed_, Qt::CaseInsensitive))
                    return row;
            }
            return -1;
        };
        const int from = std::max(0, currentRow() + (goesOn ? 0 : 1)); // the same letter again: the next one
        const int row = found(true, from) >= 0 ? found(true, from) : found(false, from);
        if (row >= 0)
            setCurrentRow(row);
    }

private:
    QString typed_;
    QElapsedTimer since_;
};

} // namespace driftless::ui
