#include "ui/document/Preferences.h"

#include <QSettings>

namespace driftless::ui {

namespace {

const QString kEveryStep = QStringLiteral("recordEveryStep");

QSettings settings() { return QSettings(QStringLiteral("Driftless"), QStringLiteral("Driftless")); }

} // namespace

run::Rows preferredRows() { return settings().value(kEveryStep, false).toBool() ? run::Rows::EveryStep : run::Rows::AsCurvesNeed; }

void preferRows(run::Rows rows) { settings().setValue(kEveryStep, rows == run::Rows::EveryStep); }

} // namespace driftless::ui
