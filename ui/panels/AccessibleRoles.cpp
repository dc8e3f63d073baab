#include "ui/panels/AccessibleRoles.h"

#include <QAccessibleWidget>

#include "ui/views/LadderView.h"
#include "ui/views/PlotView.h"
#include "ui/views/SceneView.h"
#include "ui/views/SignatureMatrix.h"
#include "ui/views/TimeLine.h"

namespace driftless::ui {

namespace {

/// A name is set on the widget itself; null: not one of ours.
QAccessibleInterface* spokenAs(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    if (!widget)
        return nullptr;
    if (qobject_cast<SceneView*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Canvas);
    if (qobject_cast<TimeLine*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Slider);
    if (qobject_cast<PlotView*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Chart);
    if (qobject_cast<SignatureMatrix*>(widget) || qobject_cast<LadderView*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Graphic);
    return nullptr;
}

} // namespace

void installAccessibleRoles()
{
    static const bool done = [] {
        QAccessible::installFactory(spokenAs);
        return true;
    }();
    (void)done;
}

} // namespace driftless::ui
