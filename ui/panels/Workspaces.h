// The six workspaces, and the rail at the left of the window that leads to them.
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

#include "ui/panels/Icons.h"
#include "ui/views/Theme.h"

class QToolButton;

namespace driftless::ui {

class Actions;

/// What the window is used for; each gives its object the area.
enum class Workspace { Watch, Build, Equations, Methods, Linear, Study };
inline constexpr Workspace kWorkspaces[] = {Workspace::Watch,   Workspace::Build,  Workspace::Equations,
                                            Workspace::Methods, Workspace::Linear, Workspace::Study};

struct WorkspaceInfo {
    const char* id; ///< "watch": the action is workspace_watch, its button rail_watch
    QString label;  ///< one word, on the rail
    QString words;  ///< in menu and palette
    QString tip;
    Glyph glyph;
};
WorkspaceInfo workspaceInfo(Workspace workspace);
/// Of the action that goes there.
QString workspaceAction(Workspace workspace);
/// The workspace of such an id; Watch where there is none.
Workspace workspaceOf(const QString& id);

class WorkspaceRail : public QFrame {
    Q_OBJECT
public:
    static constexpr int kWidth = 56; ///< [px], before scaling

    /// The registry has the action of every workspace.
    explicit WorkspaceRail(Actions& actions, QWidget* parent = nullptr);
    void setTheme(const Theme& theme, double scale);

private:
    Actions& actions_;
    std::vector<QToolButton*> buttons_;
};

} // namespace driftless::ui
