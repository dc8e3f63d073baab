// One dialog that asks for a file, for all that ask.
#pragma once

#include <QFileDialog>
#include <QString>

namespace driftless::ui {

/// Deletes itself once closed. Opens no file that it lists: Qt's own icons come from what a file holds, and reading some of
/// those under /proc never ends. name: of the object.
QFileDialog* newFileDialog(QWidget* parent, const QString& name, const QString& title, const QString& filter = {});
/// The same for a place to write to. suffix: is added where none is typed; may be empty.
QFileDialog* newSaveDialog(QWidget* parent, const QString& name, const QString& title, const QString& filter = {},
                           const QString& suffix = {});

} // namespace driftless::ui
