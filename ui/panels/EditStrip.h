// The tools of the editor over the scene, what the present one is for, and at the bottom the live line: degrees of freedom,
// redundant constraints, index, and what does not fit with what to try.
#pragma once

#include <QFrame>
#include <QLabel>

#include <vector>

#include "ui/panels/Icons.h"
#include "ui/views/SceneEditor.h"

class QToolButton;

namespace driftless::ui {

class EditStrip : public QFrame {
    Q_OBJECT
public:
    EditStrip(SceneEditor& tools, QWidget* over);
    void setTheme(const Theme& theme);
    void refresh();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void place();

    SceneEditor& tools_;
    struct Button {
        QToolButton* widget;
        EditTool tool;
        Glyph glyph;
    };
    std::vector<Button> buttons_;
    QLabel* hint_;
};

class EditStatusLine : public QFrame {
    Q_OBJECT
public:
    EditStatusLine(MechanismEditor& editor, QWidget* over);
    /// Over what covers the bottom of the scene.
    void setCovered(int pixels);
    void refresh();
    /// What an edit did besides; until the next change.
    void tell(const QString& sentence);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void place();

    MechanismEditor& editor_;
    QLabel *line_, *problem_, *note_;
    int covered_ = 0;
};

} // namespace driftless::ui
