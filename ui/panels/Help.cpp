#include "ui/panels/Help.h"

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
                            .arg(entry.key.toString(QKeySequence::NativeText), entry.words,
                                 entry.during.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(entry.during));
        if (!rows.isEmpty())
            text +=
                QObject::tr("\n## %1\n\n| key | what it does |\n|---|---|\n").arg(QString(Actions::title(group)).remove(u'&'))
                + rows;
    }
    return text;
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
