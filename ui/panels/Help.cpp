#include "ui/panels/Help.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include "core/system/ShippedModels.h"
#include "ui/panels/Actions.h"

namespace driftless::ui {

namespace {

QString resourceText(const QString& name)
{
    QFile file(QDir(QString::fromStdString(model::resourceFolder())).filePath(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll())
                                          : QObject::tr("The page %1 is missing.").arg(file.fileName());
}

QString aboutText()
{
    return QObject::tr(
               "# Driftless %1\n\n"
               "An interactive laboratory for differential-algebraic equations of constrained mechanics. The equations on "
               "screen are the equations that are integrated.\n\n"
               "It is free software under the GNU General Public License, version 3 or later, and comes without any "
               "warranty. It is built with Qt %2, VTK, Eigen, SUNDIALS and SuiteSparse.\n\n"
               "How to cite it stands in `CITATION.cff` beside the sources.\n")
        .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()));
}

/// All of an action: some go by two.
QString keysOf(const QAction& action)
{
    QStringList all;
    for (const QKeySequence& key : action.shortcuts())
        all << key.toString(QKeySequence::NativeText);
    return all.join(QObject::tr(" or "));
}

/// Those that act on the stage alone, where they are no actions of the window (StageWindow::makeKeys).
QString stageKeys()
{
    const struct {
        QString key, words;
    } rows[] = {{QObject::tr("Page Down or →"), QObject::tr("Next step of the lesson")},
                {QObject::tr("Page Up or ←"), QObject::tr("Previous step of the lesson")},
                {QObject::tr("1 to 9"), QObject::tr("Another formulation for the selected run; the stage lists them")},
                {QStringLiteral("."), QObject::tr("Blank the screen, and back")},
                {QObject::tr("Esc"), QObject::tr("Leave the stage")}};
    QString text = QObject::tr("\n## On the stage (F5)\n\n| key | what it does |\n|---|---|\n");
    for (const auto& [key, words] : rows)
        text += QStringLiteral("| %1 | %2 |\n").arg(key, words);
    return text;
}

} // namespace

QString shortcutsText(const Actions& actions)
{
    QString text = QObject::tr("# Shortcuts\n\nCtrl+K finds every one of these by its name, and models, lessons, studies, "
                               "formulations and integrators as well.\n");
    for (const ActionGroup group : kActionGroups) {
        QString rows;
        for (const ActionEntry& entry : actions.entries())
            if (entry.group == group && !entry.key.isEmpty())
                rows += QStringLiteral("| %1 | %2%3 |\n")
                            .arg(keysOf(actions.at(entry.id)), entry.words,
                                 entry.during.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(entry.during));
        if (!rows.isEmpty())
            text +=
                QObject::tr("\n## %1\n\n| key | what it does |\n|---|---|\n").arg(QString(Actions::title(group)).remove(u'&'))
                + rows;
    }
    return text + stageKeys();
}

Help::Help(const Actions& actions, QWidget& window) : QObject(&window), actions_(actions), window_(window) {}

Page Help::page(HelpPage which) const
{
    switch (which) {
    case HelpPage::Shortcuts:
        return {.name = QStringLiteral("shortcuts"), .title = tr("Shortcuts"), .text = shortcutsText(actions_)};
    case HelpPage::Notation:
        return {
            .name = QStringLiteral("notation"), .title = tr("Notation"), .text = resourceText(QStringLiteral("notation.md"))};
    case HelpPage::Glossary:
        return {
            .name = QStringLiteral("glossary"), .title = tr("Glossary"), .text = resourceText(QStringLiteral("glossary.md"))};
    case HelpPage::About:
        break;
    }
    return {.name = QStringLiteral("about"), .title = tr("About Driftless"), .text = aboutText()};
}

void Help::show(HelpPage which)
{
    auto& shown = windows_[static_cast<std::size_t>(which)];
    if (!shown) {
        shown = new PageWindow(page(which), theme_, scale_, &window_);
        shown->setAttribute(Qt::WA_DeleteOnClose);
    }
    shown->show();
    shown->raise();
    shown->activateWindow();
}

void Help::setTheme(const Theme& theme, double scale)
{
    theme_ = theme;
    scale_ = scale;
    for (const auto& shown : windows_)
        if (shown)
            shown->setTheme(theme, scale);
}

} // namespace driftless::ui
