// Widgets one after the other, in as many lines as the width asks for.
#pragma once

#include <QLayout>

#include <vector>

namespace driftless::ui {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr, int gap = 4);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Answers the height; moves the widgets where asked to.
    int place(const QRect& rect, bool move) const;

    std::vector<QLayoutItem*> items_;
    int gap_;
};

} // namespace driftless::ui
