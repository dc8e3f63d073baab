#include "ui/panels/Gallery.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/CompiledSystem.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

Gallery::Gallery(bool dark, QWidget* parent) : QDialog(parent), dark_(dark)
{
    setObjectName("gallery");
    setWindowTitle(tr("Models and studies"));
    const QSize room = parent ? parent->size() : QSize(1280, 720); // of the window it lies over
    resize(std::clamp(room.width() * 6 / 10, 640, 900), std::clamp(room.height() * 8 / 10, 560, 860));
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
    list_->setIconSize({kPictureWidth, kPictureHeight});
    QPixmap blank(kPictureWidth, kPictureHeight);
    blank.fill(Qt::transparent);
    const auto add = [this](const QString& lead, const auto& shipped, const std::string& opens) {
        QString text = lead + QString::fromStdString(shipped.title.empty() ? shipped.id : shipped.title);
        if (!shipped.source.empty())
            text += "\n" + QString::fromStdString(shipped.source);
        auto* item = new QListWidgetItem(text, list_);
        item->setData(Qt::UserRole, QString::fromStdString(opens));
        item->setToolTip(QString::fromStdString(shipped.path));
        return item;
    };
    for (const auto& model : model::shippedModels()) {
        auto* item = add({}, model, model.id);
        item->setIcon(QIcon(blank));
        undrawn_.insert(undrawn_.begin(), item);
    }
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
    next_.setSingleShot(true);
    connect(&next_, &QTimer::timeout, this, &Gallery::drawNext);
    next_.start(0);
}

Gallery::~Gallery() = default;

void Gallery::drawNext()
{
    if (undrawn_.empty()) {
        delete painter_;
        painter_ = nullptr;
        return;
    }
    auto* item = undrawn_.back();
    undrawn_.pop_back();
    next_.start(0);
    const auto model = model::openModel(item->data(Qt::UserRole).toString().toStdString());
    if (!model || (*model)->system.visuals.empty())
        return;
    const auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return;
    if (!painter_) {
        painter_ = new SceneView(this);
        painter_->hide();
        painter_->setDark(dark_);
    }
    painter_->setModel(*compiled);
    const double ratio = devicePixelRatioF();
    QImage picture = painter_->grabImage((QSizeF(kPictureWidth, kPictureHeight) * ratio).toSize(), 3);
    picture.setDevicePixelRatio(ratio);
    const QPixmap drawn = QPixmap::fromImage(picture);
    QIcon icon(drawn);
    icon.addPixmap(drawn, QIcon::Selected); // as it is, without the tint of what is chosen
    item->setIcon(icon);
}

void Gallery::choose()
{
    if (const auto* item = list_->currentItem()) {
        emit chosen(item->data(Qt::UserRole).toString());
        accept();
    }
}

} // namespace driftless::ui
