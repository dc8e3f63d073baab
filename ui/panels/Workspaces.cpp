#include "ui/panels/Workspaces.h"

#include <QAction>
#include <QCoreApplication>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/panels/Actions.h"

namespace driftless::ui {

namespace {

constexpr int kRailIcon = 22, kRailButton = 52, kRailTop = 4;

QString words(const char* text) { return QCoreApplication::translate("Workspace", text); }

} // namespace

WorkspaceInfo workspaceInfo(Workspace workspace)
{
    switch (workspace) {
    case Workspace::Build:
        return {.id = "build",
                .label = words("Build"),
                .words = words("Workspace: build a mechanism"),
                .tip = words("Tools over a large scene, with the text of the model beside it"),
                .glyph = Glyph::Edit};
    case Workspace::Equations:
        return {.id = "equations",
                .label = words("Equations"),
                .words = words("Workspace: equations and structure"),
                .tip = words("The rows that are integrated, and the structure behind them"),
                .glyph = Glyph::Equations};
    case Workspace::Methods:
        return {.id = "methods",
                .label = words("Methods"),
                .words = words("Workspace: methods"),
                .tip = words("The tableau of a Runge-Kutta method, its order conditions and its region of stability"),
                .glyph = Glyph::Methods};
    case Workspace::Linear:
        return {.id = "linear",
                .label = words("Linear"),
                .words = words("Workspace: linear DAEs"),
                .tip = words("Pencils: regularity, index, Weierstrass form, solution"),
                .glyph = Glyph::Linear};
    case Workspace::Study:
        return {.id = "study",
                .label = words("Study"),
                .words = words("Workspace: studies"),
                .tip = words("A comparison with its source, claims, tables and figures"),
                .glyph = Glyph::Study};
    case Workspace::Watch:
        break;
    }
    return {.id = "watch",
            .label = words("Watch"),
            .words = words("Workspace: watch the runs"),
            .tip = words("Runs, scene and plots"),
            .glyph = Glyph::Eye};
}

QString workspaceAction(Workspace workspace) { return QStringLiteral("workspace_") + workspaceInfo(workspace).id; }

Workspace workspaceOf(const QString& id)
{
    for (const Workspace workspace : kWorkspaces)
        if (id == QLatin1String(workspaceInfo(workspace).id))
            return workspace;
    return Workspace::Watch;
}

WorkspaceRail::WorkspaceRail(Actions& actions, QWidget* parent) : QFrame(parent), actions_(actions)
{
    setObjectName("workspaceRail");
    setFixedWidth(kWidth);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, kRailTop, 0, 0);
    rows->setSpacing(2);
    for (const Workspace workspace : kWorkspaces) {
        const WorkspaceInfo info = workspaceInfo(workspace);
        QAction& action = actions_.at(workspaceAction(workspace));
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("rail_") + info.id);
        button->setDefaultAction(&action);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setAccessibleName(info.words);
        button->setAccessibleDescription(info.tip);
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("part", "rail");
        rows->addWidget(button);
        buttons_.push_back(button);
    }
    rows->addStretch(1);
}

void WorkspaceRail::setTheme(const Theme& theme, double scale)
{
    const auto px = [scale](int length) { return qRound(length * scale); };
    setFixedWidth(px(kWidth));
    std::size_t place = 0;
    for (const Workspace workspace : kWorkspaces) {
        const WorkspaceInfo info = workspaceInfo(workspace);
        actions_.at(workspaceAction(workspace)).setIcon(glyphIcon(info.glyph, theme.text, theme.line));
        QToolButton* button = buttons_[place++];
        button->setIconSize({px(kRailIcon), px(kRailIcon)});
        button->setFixedSize(px(kWidth) - 1, px(kRailButton));
    }
}

} // namespace driftless::ui
