#include "ui/document/Preferences.h"

#include <QSettings>

#include <algorithm>

#include "core/run/Recording.h"

namespace driftless::ui {

namespace {

const QString kEveryStep = QStringLiteral("recordEveryStep"), kMemory = QStringLiteral("recordingMemory");

QSettings settings() { return QSettings(QStringLiteral("Driftless"), QStringLiteral("Driftless")); }

} // namespace

run::Rows preferredRows() { return settings().value(kEveryStep, false).toBool() ? run::Rows::EveryStep : run::Rows::AsCurvesNeed; }

void preferRows(run::Rows rows) { settings().setValue(kEveryStep, rows == run::Rows::EveryStep); }

int preferredMemory()
{
    constexpr int kUsual = static_cast<int>(run::Recording::kDefaultBudgetBytes >> 20);
    return std::clamp(settings().value(kMemory, kUsual).toInt(), kLeastMemory, kMostMemory);
}

void preferMemory(int mebibytes) { settings().setValue(kMemory, mebibytes); }

} // namespace driftless::ui
