#include "ui/document/Preferences.h"

#include <algorithm>

#include "core/run/Recording.h"

namespace driftless::ui {

namespace {

const QString kEveryStep = QStringLiteral("recordEveryStep"), kMemory = QStringLiteral("recordingMemory"),
              kWorkspace = QStringLiteral("workspace");

} // namespace

QSettings keptSettings() { return QSettings(QStringLiteral("Driftless"), QStringLiteral("Driftless")); }

run::Rows preferredRows()
{
    return keptSettings().value(kEveryStep, false).toBool() ? run::Rows::EveryStep : run::Rows::AsCurvesNeed;
}

void preferRows(run::Rows rows) { keptSettings().setValue(kEveryStep, rows == run::Rows::EveryStep); }

int preferredMemory()
{
    constexpr int kUsual = static_cast<int>(run::Recording::kDefaultBudgetBytes >> 20);
    return std::clamp(keptSettings().value(kMemory, kUsual).toInt(), kLeastMemory, kMostMemory);
}

QString preferredWorkspace() { return keptSettings().value(kWorkspace).toString(); }

void preferWorkspace(const QString& id) { keptSettings().setValue(kWorkspace, id); }

void preferMemory(int mebibytes) { keptSettings().setValue(kMemory, mebibytes); }

} // namespace driftless::ui
