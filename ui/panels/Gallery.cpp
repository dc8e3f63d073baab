#include "ui/panels/Gallery.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/model/Model.h"

namespace driftless::ui {

Gallery::Gallery(QWidget* parent) : QDialog(parent)
{
    setObjectName("gallery");
    setWindowTitle(tr("Models"));
    resize(520, 400);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    auto* title = new QLabel(tr("Models that come with Driftless"));
    title->setProperty("role", "heading");
    list_ = new QListWidget;
    list_->setObjectName("galleryList");
    list_->setWordWrap(true);
    list_->setSpacing(2);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setResizeMode(QListView::Adjust);
    for (const auto& model : model::shippedModels()) {
        QString text = QString::fromStdString(model.title.empty() ? model.id : model.title);
        if (!model.source.empty())
            text += "\n" + QString::fromStdString(model.source);
        auto* item = new QListWidgetItem(text, list_);
        item->setData(Qt::UserRole, QString::fromStdString(model.id));
        item->setToolTip(QString::fromStdString(model.path));
    }
    list_->setCurrentRow(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Open)->setObjectName("galleryOpen");
    layout->addWidget(title);
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &Gallery::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::itemActivated, this, &Gallery::choose);
}

void Gallery::choose()
{
    if (const auto* item = list_->currentItem()) {
        emit chosen(item->data(Qt::UserRole).toString());
        accept();
    }
}

} // namespace driftless::ui
