// The files that were opened or saved last, kept between starts of the program.
#pragma once

#include <QStringList>

namespace driftless::ui {

/// The youngest first; those that are gone are left out.
QStringList recentFiles();
void rememberFile(const QString& path);

} // namespace driftless::ui
