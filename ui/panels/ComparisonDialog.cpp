#include "ui/panels/ComparisonDialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/panels/Controls.h"
#include "ui/panels/FigurePreview.h"
#include "ui/panels/FileDialog.h"
#include "ui/panels/MessageCard.h"

namespace driftless::ui {

namespace {

constexpr QSize kDialog{980, 640};
constexpr int kChoicesWidth = 280; // [px]
constexpr int kRoom = 16;          // [px] around the parts

struct FormatChoice {
    const char* ending;
    const char* words;
};
constexpr FormatChoice kFormats[] = {
    {"png", QT_TRANSLATE_NOOP("driftless::ui::ComparisonDialog", "PNG: picture, 300 dots per inch")},
    {"svg", QT_TRANSLATE_NOOP("driftless::ui::ComparisonDialog", "SVG: scalable, to edit")},
    {"pdf", QT_TRANSLATE_NOOP("driftless::ui::ComparisonDialog", "PDF: scalable, for LaTeX")}};

CalmCombo* named(const char* name, const QString& accessible)
{
    auto* combo = new CalmCombo;
    combo->setObjectName(name);
    combo->setAccessibleName(accessible);
    return combo;
}

} // namespace

ComparisonDialog::ComparisonDialog(Source source, QWidget* parent) : QDialog(parent), source_(std::move(source))
{
    setObjectName("comparisonDialog");
    setWindowTitle(tr("Comparison picture"));
    resizeOnScreen(*this, kDialog);
    preview_ = new FigurePreview;
    preview_->setAccessibleName(tr("Preview"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kRoom, kRoom, kRoom, kRoom);
    row->setSpacing(kRoom);
    row->addWidget(preview_, 1);
    row->addWidget(makeChoices());
    path_->setText(source_.base);
    suitEnding();
    draw();
    path_->setFocus();
    path_->selectAll();
}

QWidget* ComparisonDialog::makeChoices()
{
    format_ = named("comparisonFormat", tr("Format"));
    for (const FormatChoice& choice : kFormats)
        format_->addItem(tr(choice.words), QLatin1String(choice.ending));
    size_ = named("comparisonSize", tr("Size"));
    size_->addItem(tr("Page: 170 mm wide"), static_cast<int>(figures::SizePreset::Page));
    size_->addItem(tr("Slide: 254 × 143 mm"), static_cast<int>(figures::SizePreset::Slide));
    theme_ = named("comparisonTheme", tr("Theme"));
    theme_->addItem(tr("Light"), false);
    theme_->addItem(tr("Dark"), true);
    theme_->setCurrentIndex(source_.dark ? 1 : 0);
    message_ = new QLabel;
    message_->setObjectName("comparisonMessage");
    message_->setWordWrap(true);
    message_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* buttons = new QDialogButtonBox;
    save_ = buttons->addButton(tr("Save"), QDialogButtonBox::ActionRole);
    save_->setObjectName("comparisonSave");
    save_->setProperty("role", "primary");
    save_->setDefault(true);
    copy_ = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy_->setObjectName("comparisonCopy");
    copy_->setAutoDefault(false);
    copy_->setToolTip(tr("The picture, on the clipboard"));
    auto* close = buttons->addButton(QDialogButtonBox::Close);
    close->setAutoDefault(false);
    auto* column = new QWidget;
    column->setFixedWidth(std::max(kChoicesWidth, buttons->sizeHint().width())); // the words of buttons are never cut
    auto* rows = new QVBoxLayout(column);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->addRow(tr("Format"), format_);
    form->addRow(tr("Size"), size_);
    form->addRow(tr("Theme"), theme_);
    form->addRow(tr("File"), makePath());
    rows->addLayout(form);
    rows->addWidget(message_, 1);
    rows->addWidget(buttons);
    connect(format_, &QComboBox::currentIndexChanged, this, &ComparisonDialog::suitEnding);
    connect(size_, &QComboBox::currentIndexChanged, this, &ComparisonDialog::draw);
    connect(theme_, &QComboBox::currentIndexChanged, this, &ComparisonDialog::draw);
    connect(save_, &QPushButton::clicked, this, &ComparisonDialog::save);
    connect(copy_, &QPushButton::clicked, this, &ComparisonDialog::copy);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return column;
}

QWidget* ComparisonDialog::makePath()
{
    path_ = new QLineEdit;
    path_->setObjectName("comparisonPath");
    path_->setAccessibleName(tr("File"));
    auto* other = new QPushButton(tr("…"));
    other->setObjectName("comparisonElsewhere");
    other->setAccessibleName(tr("Another place"));
    other->setToolTip(tr("Another place"));
    other->setAutoDefault(false);
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(path_, 1);
    row->addWidget(other);
    connect(other, &QPushButton::clicked, this, &ComparisonDialog::askPath);
    connect(path_, &QLineEdit::editingFinished, this, &ComparisonDialog::suitFormat);
    return both;
}

/// A name that was typed says the format.
void ComparisonDialog::suitFormat()
{
    const QSignalBlocker quiet(format_);
    if (const int at = format_->findData(QFileInfo(path_->text()).suffix().toLower()); at >= 0)
        format_->setCurrentIndex(at);
}

/// The path ends as the format demands; other words behind a point stay. In a folder the picture has the name proposed.
void ComparisonDialog::suitEnding()
{
    QString path = path_->text();
    if (!path.isEmpty() && (path.endsWith(u'/') || QFileInfo(path).isDir()))
        path = QDir(path).filePath(QFileInfo(source_.base).fileName());
    const QString suffix = QFileInfo(path).suffix();
    if (format_->findData(suffix.toLower()) >= 0)
        path.chop(suffix.size() + 1);
    if (!path.isEmpty())
        path_->setText(path + '.' + format_->currentData().toString());
}

void ComparisonDialog::draw()
{
    const bool dark = theme_->currentData().toBool();
    if (askedFor_ != dark)
        request_ = source_.request(dark);
    askedFor_ = dark;
    const figures::Theme theme = request_.style.theme;
    request_.style = figures::styleFor(static_cast<figures::SizePreset>(size_->currentData().toInt()));
    request_.style.theme = theme;
    figure_ = composeFigure(request_);
    const auto drawable = figures::checkFigure(figure_);
    preview_->show(figure_);
    const QSizeF size = preview_->millimetres();
    const bool fits = drawable && !size.isEmpty();
    save_->setEnabled(fits);
    copy_->setEnabled(fits);
    if (!drawable)
        tell(explained(drawable.error()), true);
    else if (!fits)
        tell(tr("The panels do not fit this page: show fewer plots, or take the other size."), true);
    else
        tell(tr("%1 × %2 mm").arg(size.width(), 0, 'f', 0).arg(size.height(), 0, 'f', 0), false);
}

void ComparisonDialog::tell(const QString& words, bool wrong)
{
    message_->setProperty("role", wrong ? "error" : "secondary");
    message_->style()->unpolish(message_);
    message_->style()->polish(message_);
    message_->setText(words);
}

void ComparisonDialog::askPath()
{
    QFileDialog* dialog = newSaveDialog(this, QStringLiteral("comparisonPlace"), tr("Save the picture as"), {},
                                        format_->currentData().toString());
    if (!path_->text().isEmpty())
        dialog->selectFile(path_->text());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        path_->setText(path);
        replaces_ = path; // that dialog asked
        suitFormat();
    });
    dialog->open();
}

void ComparisonDialog::save()
{
    suitFormat();
    suitEnding();
    const QString path = path_->text();
    if (path.isEmpty())
        return tell(tr("The picture needs a name."), true);
    if (QFileInfo::exists(path) && replaces_ != path) {
        replaces_ = path;
        return tell(tr("This file exists. Save again to replace it."), true);
    }
    const auto files = figures::writeFigure(figure_, path);
    if (!files)
        return tell(explained(files.error()), true);
    emit written(files->join('\n'));
    accept();
}

void ComparisonDialog::copy()
{
    copyFigure(figure_);
    emit copied();
    accept();
}

} // namespace driftless::ui
