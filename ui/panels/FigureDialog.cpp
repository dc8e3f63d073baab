#include "ui/panels/FigureDialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/panels/Controls.h"
#include "ui/panels/FigurePreview.h"
#include "ui/panels/FileDialog.h"
#include "ui/panels/MessageCard.h"

namespace driftless::ui {

namespace {

constexpr double kLatest = 1e9;   // [s]
constexpr int kPreviewDelay = 80; // [ms]
constexpr const char* kKinds[] = {"pdf", "svg", "png", "tex", "txt"};
constexpr const char* kChosenKinds[] = {"pdf", "png", "tex"};

QString specName(const PlotSpec& spec)
{
    if (spec.kind == PlotKind::Quantity)
        return spec.quantity;
    if (spec.kind == PlotKind::Phase)
        return QStringLiteral("%1 over %2").arg(spec.phaseY, spec.phaseX);
    return plotKindName(spec.kind);
}

QDoubleSpinBox* number(const char* name, double low, double high, double value, const QString& unit, int decimals = 1)
{
    auto* box = new QDoubleSpinBox;
    box->setObjectName(name);
    box->setRange(low, high);
    box->setDecimals(decimals);
    box->setValue(value);
    box->setSuffix(unit);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons); // arrow keys and the wheel step
    return box;
}

CalmCombo* choice(const char* name, const std::vector<std::pair<QString, QString>>& entries)
{
    auto* combo = new CalmCombo;
    combo->setObjectName(name);
    for (const auto& [text, id] : entries)
        combo->addItem(text, id);
    return combo;
}

/// Boxes below each other; object names are NAME_1, NAME_2, ...
QCheckBox* addCheck(std::vector<QCheckBox*>& boxes, QWidget* parent, const char* name, const QString& text, bool on)
{
    auto* box = new QCheckBox(text);
    boxes.push_back(box);
    box->setObjectName(QStringLiteral("%1_%2").arg(name).arg(boxes.size()));
    box->setChecked(on);
    parent->layout()->addWidget(box);
    return box;
}

QWidget* checkColumn()
{
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    return column;
}

} // namespace

FigureDialog::FigureDialog(ExportRequest request, QWidget* parent) : QDialog(parent), request_(std::move(request))
{
    setObjectName("figureDialog");
    setWindowTitle(tr("Arrange a figure"));
    resizeOnScreen(*this, {1080, 740});
    preview_ = new FigurePreview;
    message_ = new QLabel;
    message_->setObjectName("figureMessage");
    message_->setProperty("role", "secondary");
    message_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox;
    write_ = buttons->addButton(tr("Write files…"), QDialogButtonBox::AcceptRole);
    write_->setObjectName("figureWrite");
    write_->setProperty("role", "primary");
    copy_ = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy_->setObjectName("figureCopy");
    buttons->addButton(QDialogButtonBox::Close);
    auto* form = new QScrollArea;
    form->setFrameShape(QFrame::NoFrame);
    form->setWidgetResizable(true);
    form->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    form->setWidget(makeForm());
    form->setFixedWidth(form->widget()->sizeHint().width() + 24);
    auto* left = new QVBoxLayout;
    left->addWidget(preview_, 1);
    left->addWidget(message_);
    auto* right = new QVBoxLayout;
    right->addWidget(form, 1);
    right->addWidget(buttons);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addLayout(left, 1);
    layout->addLayout(right);

    soon_.setSingleShot(true);
    soon_.setInterval(kPreviewDelay);
    connect(&soon_, &QTimer::timeout, this, &FigureDialog::drawPreview);
    connect(write_, &QPushButton::clicked, this, &FigureDialog::askPath);
    connect(copy_, &QPushButton::clicked, this, [this] { copyFigure(composeFigure(arranged())); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showPreset();
    drawPreview();
}

QWidget* FigureDialog::makeForm()
{
    auto* form = new QWidget;
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 8, 0);
    rows->setSpacing(8);
    const int decimals = std::max(3, timeDecimals(request_.t1 - request_.t0)); // as fine as the range asks for
    from_ = number("figureFrom", 0, kLatest, request_.t0, tr(" s"), decimals);
    to_ = number("figureTo", 0, kLatest, request_.t1, tr(" s"), decimals);
    shownFrom_ = from_->value();
    shownTo_ = to_->value();
    times_ = new QLabel(tr("To has to be later than From."));
    times_->setObjectName("figureTimes");
    times_->setProperty("role", "error");
    times_->setWordWrap(true);
    times_->hide();
    size_ = choice("figureSize", {{tr("Column, 85 mm"), "column"},
                                  {tr("Page, 170 mm"), "page"},
                                  {tr("Slide, 254 × 143 mm"), "slide"},
                                  {tr("Own size"), "own"}});
    size_->show("page");
    width_ = number("figureWidth", 20, 1200, 170, tr(" mm"));
    height_ = number("figureHeight", 0, 1200, 0, tr(" mm"));
    height_->setSpecialValueText(tr("as needed"));
    points_ = number("figurePoints", 4, 72, 8, tr(" pt"));
    font_ = choice("figureFont", {{tr("Sans (Inter)"), "sans"}, {tr("Serif (as LaTeX)"), "serif"}});
    theme_ = choice("figureTheme", {{tr("Light"), "light"}, {tr("Dark"), "dark"}, {tr("Grey"), "grey"}});
    theme_->show(request_.style.theme == figures::Theme::Dark ? "dark" : "light");
    layout_ = choice("figureLayout", {{tr("All runs in one panel"), "overlay"}, {tr("A panel for every run"), "multiples"}});
    columns_ = new QSpinBox;
    columns_->setObjectName("figureColumns");
    columns_->setRange(0, 6);
    columns_->setSpecialValueText(tr("automatic"));
    columns_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    heading_ = new QCheckBox(tr("Title and parameters"));
    heading_->setObjectName("figureHeading");
    heading_->setChecked(request_.heading);
    events_ = new QCheckBox(tr("Marks of live changes"));
    events_->setObjectName("figureEvents");
    events_->setChecked(request_.eventMarks);
    auto* kinds = new QHBoxLayout;
    for (const char* kind : kKinds) {
        auto* box = new QCheckBox(QString(kind).toUpper());
        box->setObjectName(QStringLiteral("figureKind_%1").arg(kind));
        box->setChecked(std::any_of(std::begin(kChosenKinds), std::end(kChosenKinds),
                                    [&](const char* k) { return QLatin1String(k) == QLatin1String(kind); }));
        QString about = tr("The figure");
        if (QLatin1String(kind) == QLatin1String("tex"))
            about = tr("The caption as a LaTeX figure");
        if (QLatin1String(kind) == QLatin1String("txt"))
            about = tr("The caption as text");
        box->setToolTip(about);
        kinds->addWidget(box);
        kinds_.push_back(box);
    }
    rows->addRow(tr("Panels"), makePanels());
    rows->addRow(tr("Runs"), makeRuns());
    rows->addRow(tr("From"), from_);
    rows->addRow(tr("To"), to_);
    rows->addRow(QString(), times_);
    rows->addRow(tr("Size"), size_);
    rows->addRow(tr("Width"), width_);
    rows->addRow(tr("Height"), height_);
    rows->addRow(tr("Text"), points_);
    rows->addRow(tr("Font"), font_);
    rows->addRow(tr("Theme"), theme_);
    rows->addRow(tr("Layout"), layout_);
    rows->addRow(tr("Columns"), columns_);
    rows->addRow(tr("Show"), heading_);
    rows->addRow(QString(), events_);
    rows->addRow(tr("Files"), kinds);
    for (const auto* boxes : {&panels_, &runs_})
        for (auto* box : *boxes)
            connect(box, &QCheckBox::toggled, this, &FigureDialog::changed);
    for (auto* box : {from_, to_, width_, height_, points_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &FigureDialog::changed);
    for (auto* box : {from_, to_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &FigureDialog::checkTimes);
    checkTimes();
    for (auto* combo : {font_, theme_, layout_})
        connect(combo, &QComboBox::currentIndexChanged, this, &FigureDialog::changed);
    for (auto* box : {heading_, events_})
        connect(box, &QCheckBox::toggled, this, &FigureDialog::changed);
    connect(columns_, &QSpinBox::valueChanged, this, &FigureDialog::changed);
    connect(size_, &QComboBox::currentIndexChanged, this, &FigureDialog::showPreset);
    return form;
}

/// What the window shows first and checked, then the kinds that it does not show; then the scene and the pivots.
QWidget* FigureDialog::makePanels()
{
    auto* column = checkColumn();
    offered_ = request_.plots;
    for (const PlotKind kind : plotKinds()) {
        if (kind == PlotKind::Quantity || kind == PlotKind::Phase
            || std::any_of(offered_.begin(), offered_.end(), [kind](const PlotSpec& spec) { return spec.kind == kind; }))
            continue;
        PlotSpec spec = request_.plots.empty() ? PlotSpec{} : request_.plots.front();
        spec.kind = kind;
        offered_.push_back(spec);
    }
    for (std::size_t i = 0; i < offered_.size(); ++i)
        addCheck(panels_, column, "figurePanel", specName(offered_[i]), i < request_.plots.size());
    addCheck(panels_, column, "figurePanel", tr("Scene"), !request_.scene.isNull());
    addCheck(panels_, column, "figurePanel", tr("Pivots"), request_.pivots);
    return column;
}

QWidget* FigureDialog::makeRuns()
{
    auto* column = checkColumn();
    for (const ExportRun& run : request_.runs)
        addCheck(runs_, column, "figureRun",
                 QStringLiteral("%1  %2").arg(run.plot.name, QString::fromStdString(run.settings.formulation)), true);
    return column;
}

void FigureDialog::showPreset()
{
    const QString id = size_->currentData().toString();
    const bool own = id == QLatin1String("own");
    width_->setEnabled(own);
    height_->setEnabled(own);
    if (!own) {
        figures::SizePreset preset = figures::SizePreset::Slide;
        if (id == QLatin1String("column"))
            preset = figures::SizePreset::Column;
        if (id == QLatin1String("page"))
            preset = figures::SizePreset::Page;
        const auto style = figures::styleFor(preset);
        width_->setValue(style.millimetres.width());
        height_->setValue(style.millimetres.height());
        points_->setValue(style.points);
    }
    changed();
}

void FigureDialog::changed() { soon_.start(); }

ExportRequest FigureDialog::arranged() const
{
    ExportRequest out = request_;
    out.plots.clear();
    const std::size_t count = offered_.size();
    for (std::size_t i = 0; i < count; ++i)
        if (panels_[i]->isChecked())
            out.plots.push_back(offered_[i]);
    if (!panels_[count]->isChecked())
        out.scene = {};
    out.pivots = panels_[count + 1]->isChecked();
    out.runs.clear();
    std::vector<int> places; // of the kept runs, for the reference
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (runs_[i]->isChecked()) {
            places.push_back(static_cast<int>(i));
            out.runs.push_back(request_.runs[i]);
        }
    for (PlotSpec& spec : out.plots) {
        const auto found = std::find(places.begin(), places.end(), spec.reference);
        spec.reference = found == places.end() ? 0 : static_cast<int>(found - places.begin());
    }
    // A field that nobody touched stands for the time itself, of which it shows some digits.
    out.t0 = from_->value() == shownFrom_ ? request_.t0 : from_->value();
    out.t1 = to_->value() == shownTo_ ? request_.t1 : to_->value();
    out.style.millimetres = {width_->value(), height_->value()};
    out.style.points = points_->value();
    out.style.font = font_->currentData() == "serif" ? figures::Font::Serif : figures::Font::Sans;
    out.style.theme = figures::Theme::Light;
    if (theme_->currentData() == "dark")
        out.style.theme = figures::Theme::Dark;
    if (theme_->currentData() == "grey")
        out.style.theme = figures::Theme::Grey;
    out.layout = layout_->currentData() == "multiples" ? figures::Layout::SmallMultiples : figures::Layout::Overlay;
    out.columns = columns_->value();
    out.heading = heading_->isChecked();
    out.eventMarks = events_->isChecked();
    return out;
}

QStringList FigureDialog::endings() const
{
    QStringList out;
    for (std::size_t i = 0; i < kinds_.size(); ++i)
        if (kinds_[i]->isChecked())
            out << QLatin1String(kKinds[i]);
    return out;
}

bool FigureDialog::timesAreOrdered() const { return to_->value() > from_->value(); }

void FigureDialog::checkTimes()
{
    const bool ordered = timesAreOrdered();
    times_->setVisible(!ordered);
    for (QPushButton* button : {write_, copy_}) {
        button->setEnabled(ordered);
        button->setToolTip(ordered ? QString() : times_->text());
    }
}

void FigureDialog::drawPreview()
{
    if (!timesAreOrdered())
        return; // the last one that there was
    const figures::Figure figure = composeFigure(arranged());
    const auto drawable = figures::checkFigure(figure);
    preview_->show(figure);
    const QSizeF size = preview_->millimetres();
    if (!drawable)
        message_->setText(explained(drawable.error()));
    else if (size.isEmpty())
        message_->setText(tr("The panels do not fit this page: take a larger one, smaller text or fewer panels."));
    else
        message_->setText(tr("%1 × %2 mm").arg(size.width(), 0, 'f', 0).arg(size.height(), 0, 'f', 0));
}

QStringList FigureDialog::filesFor(const QString& path) const
{
    const QFileInfo info(path);
    const bool known = std::any_of(std::begin(kKinds), std::end(kKinds),
                                   [&](const char* kind) { return info.suffix().toLower() == QLatin1String(kind); });
    const QString base = known ? path.chopped(info.suffix().size() + 1) : path;
    QStringList files;
    for (const QString& ending : endings())
        files << base + '.' + ending;
    return files;
}

Result<QStringList> FigureDialog::writeFiles(const QString& path) const
{
    const QStringList files = filesFor(path);
    if (files.isEmpty())
        return Diagnostic{
            .what = "There is nothing to write", .why = "no kind of file is chosen", .remedy = "check PDF, SVG or PNG"};
    if (!timesAreOrdered())
        return Diagnostic{.what = "There is nothing to write",
                          .why = "the range of time is empty",
                          .remedy = "a time in To that is later than the one in From"};
    const figures::Figure figure = composeFigure(arranged());
    for (const QString& file : files) {
        const bool caption = file.endsWith(QLatin1String(".tex")) || file.endsWith(QLatin1String(".txt"));
        if (caption) {
            if (auto done = figures::writeCaption(figure, file); !done)
                return done.error();
        } else if (auto done = figures::writeFigure(figure, file); !done) {
            return done.error();
        }
    }
    return files;
}

void FigureDialog::askPath()
{
    QFileDialog* dialog = newSaveDialog(this, QStringLiteral("figurePath"), tr("Write the figure as"));
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // one path stands for several files: write() asks about all of them
    // The dialog is still at work when it says so.
    connect(dialog, &QFileDialog::fileSelected, this, &FigureDialog::write, Qt::QueuedConnection);
    dialog->open();
}

void FigureDialog::write(const QString& path)
{
    QStringList there;
    for (const QString& file : filesFor(path))
        if (QFileInfo::exists(file))
            there << QFileInfo(file).fileName();
    if (there.isEmpty())
        return writeNow(path);
    auto* question =
        new QMessageBox(QMessageBox::NoIcon, tr("Write the figure"),
                        there.size() == 1 ? tr("%1 exists already. Replace it?").arg(there.front())
                                          : tr("%1 exist already. Replace them?").arg(there.join(QStringLiteral(", "))),
                        QMessageBox::Cancel, this);
    question->setObjectName("figureReplace");
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* replace = question->addButton(tr("Replace"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::buttonClicked, this, [this, path, replace](const QAbstractButton* clicked) {
        if (clicked == replace)
            writeNow(path);
    });
    question->open();
}

void FigureDialog::writeNow(const QString& path)
{
    const auto files = writeFiles(path);
    if (!files) {
        message_->setText(explained(files.error()));
        emit failed(files.error());
        return;
    }
    emit written(*files);
    accept();
}

} // namespace driftless::ui
