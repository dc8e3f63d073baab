#include "ui/panels/EditStrip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/panels/MessageCard.h"

namespace driftless::ui {

namespace {

constexpr int kStripMargin = 12;

struct ToolInfo {
    EditTool tool;
    Glyph glyph;
    const char* name; ///< of the object
    const char* text;
};

constexpr ToolInfo kTools[] = {
    {EditTool::Select, Glyph::Pointer, "toolSelect", QT_TRANSLATE_NOOP("EditStrip", "Select and move")},
    {EditTool::Point, Glyph::Mass, "toolPoint", QT_TRANSLATE_NOOP("EditStrip", "Point mass")},
    {EditTool::Bar, Glyph::Bar, "toolBar", QT_TRANSLATE_NOOP("EditStrip", "Rigid bar")},
    {EditTool::Disc, Glyph::Disc, "toolDisc", QT_TRANSLATE_NOOP("EditStrip", "Disc")},
    {EditTool::Block, Glyph::Block, "toolBlock", QT_TRANSLATE_NOOP("EditStrip", "Block")},
    {EditTool::Pin, Glyph::Pin, "toolPin", QT_TRANSLATE_NOOP("EditStrip", "Pin")},
    {EditTool::Rod, Glyph::Rod, "toolRod", QT_TRANSLATE_NOOP("EditStrip", "Massless rod")},
    {EditTool::Rail, Glyph::Rail, "toolRail", QT_TRANSLATE_NOOP("EditStrip", "Slider on a rail")},
    {EditTool::Weld, Glyph::Weld, "toolWeld", QT_TRANSLATE_NOOP("EditStrip", "Weld")},
    {EditTool::Spring, Glyph::Spring, "toolSpring", QT_TRANSLATE_NOOP("EditStrip", "Spring")},
    {EditTool::Damper, Glyph::Damper, "toolDamper", QT_TRANSLATE_NOOP("EditStrip", "Damper")},
    {EditTool::Motor, Glyph::Motor, "toolMotor", QT_TRANSLATE_NOOP("EditStrip", "Motor of a pin or slider")},
    {EditTool::String, Glyph::String, "toolString", QT_TRANSLATE_NOOP("EditStrip", "String that goes slack")},
    {EditTool::Wall, Glyph::Wall, "toolWall", QT_TRANSLATE_NOOP("EditStrip", "Wall")},
    {EditTool::Stop, Glyph::Stop, "toolStop", QT_TRANSLATE_NOOP("EditStrip", "Stop of a pin or slider")},
    {EditTool::Clutch, Glyph::Clutch, "toolClutch", QT_TRANSLATE_NOOP("EditStrip", "Clutch or brake")},
    {EditTool::Ratchet, Glyph::Ratchet, "toolRatchet", QT_TRANSLATE_NOOP("EditStrip", "Ratchet of a pin or slider")},
    {EditTool::Delete, Glyph::Delete, "toolDelete", QT_TRANSLATE_NOOP("EditStrip", "Delete")},
};

QString counted(int number, const QString& one, const QString& many) { return (number == 1 ? one : many).arg(number); }

} // namespace

EditStrip::EditStrip(SceneEditor& tools, QWidget* over) : QFrame(over), tools_(tools)
{
    setObjectName("editStrip");
    setProperty("role", "card");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 5, 6, 6);
    layout->setSpacing(3);
    auto* row = new QHBoxLayout;
    row->setSpacing(1);
    for (const ToolInfo& info : kTools) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(info.name));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setIconSize({20, 20});
        button->setMinimumSize(32, 30);
        button->setFocusPolicy(Qt::TabFocus);
        const QString text = tr(info.text);
        button->setToolTip(text);
        button->setAccessibleName(text);
        connect(button, &QToolButton::clicked, this, [this, tool = info.tool] {
            tools_.setTool(tool);
            refresh();
        });
        row->addWidget(button);
        buttons_.push_back({button, info.tool, info.glyph});
    }
    row->addStretch(1);
    layout->addLayout(row);
    hint_ = new QLabel;
    hint_->setObjectName("editHint");
    hint_->setProperty("role", "secondary");
    hint_->setWordWrap(true);
    layout->addWidget(hint_);
    over->installEventFilter(this);
    connect(&tools_, &SceneEditor::toolChanged, this, &EditStrip::refresh);
    hide();
}

void EditStrip::setTheme(const Theme& theme)
{
    for (const Button& button : buttons_)
        button.widget->setIcon(glyphIcon(button.glyph, theme.text, theme.line));
    if (isVisible())
        refresh(); // another scale
}

void EditStrip::refresh()
{
    for (const Button& button : buttons_)
        button.widget->setChecked(button.tool == tools_.tool());
    hint_->setText(tools_.hint());
    place();
}

void EditStrip::place()
{
    const int width = std::min(parentWidget()->width() - 2 * kStripMargin, std::max(440, sizeHint().width()));
    setFixedWidth(width);
    const int height = layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height();
    setGeometry((parentWidget()->width() - width) / 2, kStripMargin, width, height);
    raise();
}

bool EditStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parentWidget() && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

// --- the live line ---

EditStatusLine::EditStatusLine(MechanismEditor& editor, QWidget* over) : QFrame(over), editor_(editor)
{
    setObjectName("editStatus");
    setProperty("role", "card");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 5, 10, 6);
    layout->setSpacing(2);
    const auto label = [&](const char* name, const char* role) {
        auto* made = new QLabel;
        made->setObjectName(QLatin1String(name));
        if (*role)
            made->setProperty("role", QLatin1String(role));
        made->setWordWrap(true);
        layout->addWidget(made);
        return made;
    };
    line_ = label("editStatusLine", "");
    problem_ = label("editProblem", "error");
    note_ = label("editNote", "secondary");
    over->installEventFilter(this);
    hide();
}

void EditStatusLine::tell(const QString& sentence)
{
    note_->setText(sentence);
    note_->setVisible(!sentence.isEmpty());
    place();
}

void EditStatusLine::refresh()
{
    const EditStatus& s = editor_.mechanism().status();
    QStringList parts;
    if (!editor_.mechanism().editable())
        parts << tr("No mechanism");
    else if (s.bodies == 0)
        parts << tr("Empty: place a body with one of the tools");
    else if (!s.known)
        parts << counted(s.bodies, tr("%1 body"), tr("%1 bodies")) << tr("too large for the live analysis");
    else {
        parts << counted(s.bodies, tr("%1 body"), tr("%1 bodies"))
              << counted(s.freedom, tr("%1 degree of freedom"), tr("%1 degrees of freedom"));
        if (s.velocityFreedom != s.freedom)
            parts << tr("%1 in the velocities").arg(s.velocityFreedom);
        parts << tr("index %1").arg(s.index);
        parts << (s.redundant.empty() ? tr("nothing redundant")
                                      : counted(static_cast<int>(s.redundant.size()), tr("%1 redundant constraint"),
                                                tr("%1 redundant constraints")));
    }
    line_->setText(parts.join(QStringLiteral("  ·  ")));
    QString problem;
    if (s.problem) {
        problem = QString::fromStdString(s.problem->what);
        if (!problem.endsWith('.'))
            problem += '.';
        const QString more = explained(*s.problem);
        if (!more.isEmpty())
            problem += QStringLiteral(" ") + QString(more).replace('\n', ' ');
    }
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    QString note;
    if (!s.redundant.empty()) {
        const int others = static_cast<int>(s.redundant.size()) - 1;
        note = QString::fromStdString(s.redundant.front());
        if (others > 0)
            note +=
                QStringLiteral(". ")
                + counted(others, tr("%1 more constraint follows from others"), tr("%1 more constraints follow from others"));
        note +=
            others > 0 ? tr(". Their multipliers are not determined one by one.") : tr(". Its multiplier is not determined.");
    }
    tell(note);
}

void EditStatusLine::setCovered(int pixels)
{
    covered_ = pixels;
    place();
}

void EditStatusLine::place()
{
    const int most = parentWidget()->width() - 2 * kStripMargin;
    const int wanted = std::max({line_->sizeHint().width(), problem_->isHidden() ? 0 : 420, note_->isHidden() ? 0 : 420}) + 24;
    const int width = std::min(most, std::max(wanted, line_->fontMetrics().horizontalAdvance(line_->text()) + 24));
    setFixedWidth(width);
    // A label asks for the height of its lines, and letters that reach below the last one are cut.
    const int below = line_->fontMetrics().descent();
    const int height = (layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height()) + below;
    setGeometry(kStripMargin, parentWidget()->height() - height - kStripMargin - covered_, width, height);
}

bool EditStatusLine::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parentWidget())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace driftless::ui
