#include "ui/panels/Drawer.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QTextBlock>
#include <QVBoxLayout>

#include "ui/panels/Controls.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/RunCard.h"
#include "ui/views/EquationView.h"
#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {

enum StartColumn { Name, Value, Unit, Status, StartColumns };

} // namespace

Drawer::Drawer(Document& document, QWidget* parent) : QTabWidget(parent), document_(document)
{
    setObjectName("drawer");
    setDocumentMode(true);
    equations_ = new EquationView;
    equations_->setObjectName("equations");
    addTab(equations_, tr("Equations"));
    addTab(makeText(), tr("Model"));
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    messages_ = new QWidget;
    messages_->setObjectName("messages");
    messageList_ = new QVBoxLayout(messages_);
    messageList_->setContentsMargins(12, 8, 12, 8);
    messageList_->setSpacing(8);
    scroll->setWidget(messages_);
    addTab(scroll, tr("Messages"));
    addTab(makeStart(), tr("Start values"));
}

QWidget* Drawer::makeText()
{
    auto* page = new QWidget;
    page->setObjectName("modelPage");
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    text_ = new QPlainTextEdit;
    text_->setObjectName("modelText");
    text_->setAccessibleName(tr("Model text"));
    text_->setStyleSheet(QStringLiteral("font-family: \"%1\";").arg(fixedFamily()));
    text_->setTabChangesFocus(true);
    auto* row = new QHBoxLayout;
    textProblem_ = new QLabel;
    textProblem_->setObjectName("modelProblem");
    textProblem_->setWordWrap(true);
    textProblem_->setProperty("role", "error");
    auto* apply = new QPushButton(tr("Apply"));
    apply->setObjectName("modelApply");
    apply->setToolTip(tr("Read this text as the model; all runs start again"));
    auto* revert = new QPushButton(tr("Revert"));
    revert->setObjectName("modelRevert");
    row->addWidget(textProblem_, 1);
    row->addWidget(revert);
    row->addWidget(apply);
    layout->addWidget(text_, 1);
    layout->addLayout(row);
    connect(apply, &QPushButton::clicked, this, &Drawer::applyText);
    connect(revert, &QPushButton::clicked, this, [this] {
        text_->setPlainText(document_.modelText());
        textProblem_->clear();
    });
    return page;
}

void Drawer::applyText()
{
    const auto applied = document_.applyText(text_->toPlainText());
    textProblem_->setText(applied ? QString() : QString::fromStdString(applied.error().text()));
    if (!applied && applied.error().position.line > 0) {
        QTextCursor cursor(text_->document()->findBlockByNumber(applied.error().position.line - 1));
        text_->setTextCursor(cursor);
        text_->setFocus();
    }
}

QWidget* Drawer::makeStart()
{
    start_ = new QTableWidget(0, StartColumns);
    start_->setObjectName("startValues");
    start_->setHorizontalHeaderLabels({tr("Quantity"), tr("Start value"), tr("Unit"), tr("Kept or completed")});
    start_->horizontalHeader()->setStretchLastSection(true);
    start_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    start_->verticalHeader()->hide();
    start_->setShowGrid(false);
    start_->setColumnWidth(Name, 180);
    start_->setColumnWidth(Value, 140);
    connect(start_, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        if (item->column() != Value)
            return;
        bool ok = false;
        QString typed = item->text();
        const double value = typed.replace(',', '.').toDouble(&ok);
        const QString name = start_->item(item->row(), Name)->text();
        QMetaObject::invokeMethod(this, [this, name, value, ok] { // the table is rebuilt: not inside its own signal
            if (!ok || !document_.setInitialValue(name, value))
                rebuildStart();
        }, Qt::QueuedConnection);
    });
    return start_;
}

void Drawer::rebuildStart()
{
    const QSignalBlocker quiet(start_);
    start_->setRowCount(0);
    if (!document_.hasModel())
        return;
    const auto& set = document_.laboratory().start().values;
    const auto add = [&](const model::Quantity& quantity, model::InitialStatus status) {
        const int row = start_->rowCount();
        start_->insertRow(row);
        const auto given = set.find(quantity.name);
        const double value = given == set.end() ? quantity.value : given->second;
        const bool fixed = given != set.end() || status == model::InitialStatus::Fixed;
        const QString texts[] = {QString::fromStdString(quantity.name), QString::number(value, 'g', 12),
                                 QString::fromStdString(quantity.unit),
                                 fixed ? tr("kept as it is") : tr("a guess, made consistent")};
        for (int column = 0; column < StartColumns; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            if (column != Value)
                item->setFlags(item->flags() & ~Qt::ItemIsEditable);
            item->setToolTip(QString::fromStdString(quantity.description));
            start_->setItem(row, column, item);
        }
    };
    for (const auto& coordinate : document_.system().system().coordinates) {
        add(coordinate.position, coordinate.positionStatus);
        add(coordinate.velocity, coordinate.velocityStatus);
    }
}

void Drawer::setTheme(const Theme& theme, double scale)
{
    equations_->setDark(theme.dark);
    equations_->setScale(scale);
}

void Drawer::rebuild()
{
    text_->setPlainText(document_.modelText());
    textProblem_->clear();
    equationsKey_.clear();
    rebuildStart();
    refreshEquations();
}

void Drawer::refreshEquations()
{
    const RunEntry* run = document_.find(document_.selected());
    if (!isVisible() || currentWidget() != equations_ || !run)
        return;
    const auto status = document_.status(run->key);
    QString shown = QStringLiteral("%1: %2").arg(run->name, QString::fromStdString(status.settings.formulation));
    if (shown + QString::number(run->key) != equationsKey_) {
        equationsKey_ = shown + QString::number(run->key);
        equations_->setSource(shown, [this, key = run->key](expr::Format format) {
            const RunEntry* entry = document_.find(key);
            return entry ? document_.laboratory().equations(entry->id, format) : std::vector<formulation::DescribedRow>{};
        });
        dummies_ = status.dummies;
        equations_->refresh();
    } else if (status.dummies != dummies_) {
        dummies_ = status.dummies;
        equations_->refresh();
    }
}

void Drawer::showMessages()
{
    while (auto* item = messageList_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto& all = document_.messages();
    setTabText(2, all.empty() ? tr("Messages") : tr("Messages (%1)").arg(all.size()));
    if (all.empty()) {
        auto* none = new QLabel(tr("No messages. A run that stops says here why, and what to do."));
        none->setProperty("role", "secondary");
        messageList_->addWidget(none);
    }
    for (auto message = all.rbegin(); message != all.rend(); ++message) {
        auto* row = new QWidget;
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        const RunEntry* run = document_.find(message->runKey);
        const auto& d = message->diagnostic;
        auto* label = new QLabel(QStringLiteral("%1 s  %2%3\n%4")
                                     .arg(message->t, 0, 'f', 2)
                                     .arg(run ? run->name + ": " : QString(), QString::fromStdString(d.what), explained(d)));
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        layout->addWidget(label, 1);
        if (run && document_.status(run->key).state == run::RunState::Failed) {
            const auto remedy = remedyFor(document_.status(run->key));
            auto* button = new QPushButton(remedy.text);
            connect(button, &QPushButton::clicked, this,
                    [this, key = run->key, act = remedy.act] { act(document_, key); }, Qt::QueuedConnection);
            layout->addWidget(button, 0, Qt::AlignTop);
        }
        messageList_->addWidget(row);
    }
    messageList_->addStretch(1);
}

} // namespace driftless::ui
