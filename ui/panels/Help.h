// The pages of help, each in a window that stays beside the work: shortcuts from the registry of actions, notation and glossary
// from the resources, what the program is.
#pragma once

#include <QObject>
#include <QPointer>

#include <array>

#include "ui/panels/PageWindow.h"

namespace driftless::ui {

class Actions;

enum class HelpPage { Shortcuts, Notation, Glossary, About };

class Help : public QObject {
    Q_OBJECT
public:
    Help(const Actions& actions, QWidget& window);
    void show(HelpPage page);
    void setTheme(const Theme& theme, double scale);

private:
    Page page(HelpPage which) const;

    const Actions& actions_;
    QWidget& window_;
    Theme theme_ = Theme::light();
    double scale_ = 1;
    std::array<QPointer<PageWindow>, 4> windows_;
};

/// Every action with its key, menu by menu, as the text of a page.
QString shortcutsText(const Actions& actions);

} // namespace driftless::ui
