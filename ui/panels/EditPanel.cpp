#include "ui/panels/EditPanel.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

constexpr int kWidestLabel = 96; // [px]
constexpr int kIdRole = Qt::UserRole;

QString unquoted(const QString& written)
{
    return written.size() >= 2 && written.startsWith('"') && written.endsWith('"') && !written.startsWith("\"\"\"")
               ? written.mid(1, written.size() - 2)
               : written;
}

/// A value as the file takes it: numbers, lists and tables as they are, all else is an expression in quotes.
QString writtenValue(const QString& typed, model::FieldType type)
{
    const QString text = typed.trimmed();
    if (text.isEmpty() || type == model::FieldType::Text || type == model::FieldType::Values)
        return text;
    if (type == model::FieldType::Value) {
        bool number = false;
        (void)text.toDouble(&number);
        const bool plain =
            number && !text.startsWith('.') && !text.endsWith('.') && !text.contains("nan") && !text.contains("inf");
        return plain ? text : u'"' + QString(text).remove('"') + u'"';
    }
    return u'"' + QString(text).remove('"') + u'"';
}

} // namespace

EditPanel::EditPanel(MechanismEditor& editor, QWidget* parent) : QWidget(parent), editor_(editor)
{
    setObjectName("editPanel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 8);
    layout->setSpacing(6);
    auto* heading = new QLabel(tr("Mechanism"));
    heading->setProperty("role", "heading");
    layout->addWidget(heading);
    tree_ = new QTreeWidget;
    tree_->setObjectName("mechanismTree");
    tree_->setAccessibleName(tr("Bodies, joints and forces"));
    tree_->setColumnCount(2);
    tree_->setHeaderHidden(true);
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setIndentation(12);
    tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    tree_->header()->setStretchLastSection(false);
    layout->addWidget(tree_, 2);
    title_ = new QLabel;
    title_->setObjectName("propertyTitle");
    title_->setProperty("role", "heading");
    layout->addWidget(title_);
    about_ = new QLabel;
    about_->setProperty("role", "secondary");
    about_->setWordWrap(true);
    layout->addWidget(about_);
    auto* scroll = new QScrollArea;
    scroll->setObjectName("propertyScroll");
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    form_ = new QWidget;
    form_->setObjectName("properties");
    grid_ = new QGridLayout(form_);
    grid_->setContentsMargins(0, 0, 6, 0);
    grid_->setHorizontalSpacing(6);
    grid_->setVerticalSpacing(4);
    grid_->setColumnStretch(1, 1);
    scroll->setWidget(form_);
    layout->addWidget(scroll, 3);
    connect(&editor_, &MechanismEditor::changed, this, &EditPanel::rebuild);
    connect(&editor_, &MechanismEditor::selectionChanged, this, &EditPanel::showSelection);
    connect(tree_, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (ours_)
            return;
        std::vector<std::string> ids;
        for (const QTreeWidgetItem* item : tree_->selectedItems())
            if (const QString id = item->data(0, kIdRole).toString(); !id.isEmpty())
                ids.push_back(id.toStdString());
        editor_.selection().select(std::move(ids));
    });
}

void EditPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (stale_)
        rebuild();
}

void EditPanel::rebuild()
{
    stale_ = !isVisible();
    if (stale_)
        return;
    ours_ = true;
    tree_->clear();
    if (const auto* text = editor_.mechanism().text()) {
        const std::pair<const char*, QString> groups[] = {{"body", tr("Bodies")},
                                                          {"joint", tr("Joints")},
                                                          {"force", tr("Forces")},
                                                          {"coordinate", tr("Coordinates")},
                                                          {"constraint", tr("Constraints")},
                                                          {"potential", tr("Potentials")},
                                                          {"input", tr("Inputs")},
                                                          {"output", tr("Outputs")},
                                                          {"start", tr("Start")}};
        for (const auto& [kind, title] : groups) {
            QTreeWidgetItem* group = nullptr;
            for (const auto& place : text->places()) {
                if (place.kind != kind)
                    continue;
                if (!group) {
                    group = new QTreeWidgetItem(tree_, {title});
                    group->setFlags(Qt::ItemIsEnabled);
                    group->setFirstColumnSpanned(true);
                    group->setExpanded(true);
                }
                const QString of = unquoted(QString::fromStdString(text->fieldText(place.kind, place.number, "kind")));
                auto* item = new QTreeWidgetItem(group, {place.name.empty() ? of : QString::fromStdString(place.name), of});
                item->setData(0, kIdRole, QString::fromStdString(EditedMechanism::idOf(place)));
                item->setForeground(1, palette().color(QPalette::PlaceholderText));
            }
        }
    }
    ours_ = false;
    showSelection();
}

void EditPanel::showSelection()
{
    if (!isVisible())
        return;
    ours_ = true;
    for (int g = 0; g < tree_->topLevelItemCount(); ++g)
        for (int k = 0; k < tree_->topLevelItem(g)->childCount(); ++k) {
            auto* item = tree_->topLevelItem(g)->child(k);
            const bool chosen = editor_.selection().contains(item->data(0, kIdRole).toString().toStdString());
            if (item->isSelected() != chosen)
                item->setSelected(chosen);
            if (chosen && editor_.selection().ids().size() == 1)
                tree_->scrollToItem(item);
        }
    ours_ = false;
    rebuildFields();
}

void EditPanel::rebuildFields()
{
    const auto* text = editor_.mechanism().text();
    const auto& chosen = editor_.selection().ids();
    const auto* place = text && chosen.size() == 1 ? editor_.mechanism().placeOf(chosen.front()) : nullptr;
    std::string now = chosen.empty() ? "" : chosen.front();
    if (place) {
        const auto span = text->span(place->kind, place->number);
        now += "\n" + text->text().substr(span.begin, span.end - span.begin);
        for (const auto& other : text->places())
            now += "\n" + other.name; // the lists of bodies
    }
    if (now == shown_ && place)
        return;
    shown_ = now;
    while (auto* item = grid_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    QString title;
    if (place)
        title = QString::fromStdString(place->name.empty() ? place->kind : place->name);
    else if (chosen.size() > 1)
        title = tr("%1 selected").arg(chosen.size());
    title_->setText(title);
    title_->setVisible(!title_->text().isEmpty());
    const QString help = chosen.empty() ? tr("Select a body, a joint or a force to see its fields.")
                                        : tr("Move, duplicate or remove them together.");
    about_->setText(place ? QString() : help);
    about_->setVisible(!about_->text().isEmpty());
    if (!place)
        return;
    const std::string kind =
        unquoted(QString::fromStdString(text->fieldText(place->kind, place->number, "kind"))).toStdString();
    const model::TomlEntry* dimensions = text->root().find("dimensions");
    const int size = dimensions && dimensions->value.number == 3 ? 3 : 2;
    int row = 0;
    auto fields = model::fieldsOf(place->kind, kind, size);
    if (const model::TomlValue* table = text->table(place->kind, place->number))
        for (const auto& entry : table->entries) { // what the forms do not know is shown as it is written
            const auto knows = [&](const model::FieldInfo& f) {
                return f.path == entry.key || f.path.starts_with(entry.key + ".");
            };
            if (entry.key != "kind" && std::none_of(fields.begin(), fields.end(), knows))
                fields.push_back({entry.key, entry.key, "", model::FieldType::Text});
        }
    for (const auto& field : fields)
        if (!field.path.starts_with("shape.") || !text->field(place->kind, place->number, field.path).empty())
            addField(*place, field, row++);
    grid_->setRowStretch(row, 1);
}

void EditPanel::addField(const model::ModelText::Place& place, const model::FieldInfo& field, int row)
{
    const QString written = QString::fromStdString(editor_.mechanism().text()->fieldText(place.kind, place.number, field.path));
    auto* label = new QLabel(QString::fromStdString(field.label));
    if (label->sizeHint().width() > kWidestLabel) { // in two lines, so that the unit keeps its place
        label->setWordWrap(true);
        label->setFixedWidth(kWidestLabel);
    }
    QWidget* value = control(place, field, written);
    value->setObjectName("field_" + QString::fromStdString(field.path));
    value->setAccessibleName(label->text());
    label->setBuddy(value);
    grid_->addWidget(label, row, 0);
    grid_->addWidget(value, row, 1);
    auto* unit = new QLabel(QString::fromStdString(field.unit)
                                .replace(QStringLiteral("^2"), QStringLiteral("²"))
                                .replace(QStringLiteral("^3"), QStringLiteral("³")));
    unit->setProperty("role", "secondary");
    grid_->addWidget(unit, row, 2);
}

QWidget* EditPanel::control(const model::ModelText::Place& place, const model::FieldInfo& field, const QString& written)
{
    const std::string id = EditedMechanism::idOf(place);
    const auto set = [this, id, path = field.path](const QString& value) {
        // The form goes with the edit that it makes: not from within its own signal.
        QMetaObject::invokeMethod(
            this,
            [this, id, path, value] {
                if (!editor_.builder().setField(id, path, value)) {
                    shown_.clear(); // shows again what holds
                    rebuildFields();
                }
            },
            Qt::QueuedConnection);
    };
    if (field.type == model::FieldType::Flag) {
        auto* box = new QCheckBox;
        box->setChecked(written == QStringLiteral("true"));
        connect(box, &QCheckBox::toggled, this, [set](bool on) { set(on ? QStringLiteral("true") : QStringLiteral("false")); });
        return box;
    }
    if (field.type == model::FieldType::Choice || field.type == model::FieldType::BodyName
        || field.type == model::FieldType::JointName) {
        auto* combo = new CalmCombo;
        combo->setMinimumContentsLength(4);
        if (field.type == model::FieldType::Choice)
            for (const std::string& choice : field.choices)
                combo->addItem(QString::fromStdString(choice));
        if (field.type == model::FieldType::BodyName)
            combo->addItem(QStringLiteral("ground"));
        for (const auto& other : editor_.mechanism().text()->places())
            if ((field.type == model::FieldType::BodyName && other.kind == "body")
                || (field.type == model::FieldType::JointName && other.kind == "joint"))
                combo->addItem(QString::fromStdString(other.name));
        const QString now = unquoted(written);
        if (!now.isEmpty() && combo->findText(now) < 0 && written.startsWith('"'))
            combo->addItem(now); // a copy of a repeated table: "bob[i-1]"
        combo->setCurrentIndex(combo->findText(now));
        connect(combo, &QComboBox::activated, this, [set, combo] { set(u'"' + combo->currentText() + u'"'); });
        return combo;
    }
    auto* line = new QLineEdit(
        field.type == model::FieldType::Values || field.type == model::FieldType::Text ? written : unquoted(written));
    const QString nothing = field.type == model::FieldType::Value ? QStringLiteral("0") : QStringLiteral("–");
    line->setPlaceholderText(field.needed ? QString() : nothing);
    line->setMinimumWidth(60);
    line->setToolTip(line->text()); // a list is longer than its field
    line->setCursorPosition(0);
    const QString before = line->text();
    connect(line, &QLineEdit::editingFinished, this, [this, line, before, id, set, type = field.type] {
        if (line->text() == before)
            return;
        if (type == model::FieldType::Name) {
            QMetaObject::invokeMethod(
                this,
                [this, id, to = line->text()] {
                    if (!editor_.builder().rename(id, to)) {
                        shown_.clear();
                        rebuildFields();
                    }
                },
                Qt::QueuedConnection);
            return;
        }
        set(writtenValue(line->text(), type));
    });
    return line;
}

} // namespace driftless::ui
