#include "ui/panels/Gallery.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/reduction/Reduced.h"
#include "core/model/Model.h"
#include "core/study/Study.h"

namespace driftless::ui {

Gallery::Gallery(QWidget* parent) : QDialog(parent)
{
    setObjectName("gallery");
    setWindowTitle(tr("Models and studies"));
    resize(520, 400);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    auto* title = new QLabel(tr("Models and studies that come with Driftless"));
    title->setProperty("role", "heading");
    list_ = new QListWidget;
    list_->setObjectName("galleryList");
    list_->setWordWrap(true);
    list_->setSpacing(2);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setResizeMode(QListView::Adjust);
    const auto add = [this](const QString& lead, const auto& shipped, const std::string& opens) {
        QString text = lead + QString::fromStdString(shipped.title.empty() ? shipped.id : shipped.title);
        if (!shipped.source.empty())
            text += "\n" + QString::fromStdString(shipped.source);
        auto* item = new QListWidgetItem(text, list_);
        item->setData(Qt::UserRole, QString::fromStdString(opens));
        item->setToolTip(QString::fromStdString(shipped.path));
    };
    for (const auto& model : model::shippedModels())
        add({}, model, model.id);
    for (const auto& model : reduction::shippedEquations())
        add(tr("Equations: "), model, model.id);
    for (const auto& study : study::shippedStudies())
        add(tr("Study: "), study, study.path);
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
