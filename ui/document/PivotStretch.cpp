#include "ui/document/PivotStretch.h"

#include <QStringList>

namespace driftless::ui {

QString dummyNames(const formulation::Dummies& dummies, const model::ConstrainedSystem& system)
{
    QStringList names;
    const auto name = [&](const auto& named) { names << QString::fromStdString(named.name); };
    for (const int i : dummies.values)
        name(system.values[static_cast<std::size_t>(i)]);
    if (!names.isEmpty())
        return names.join(QStringLiteral(", "));
    for (const int i : dummies.positions)
        name(system.coordinates[static_cast<std::size_t>(i)]);
    if (dummies.positions != dummies.velocities)
        for (const int i : dummies.velocities)
            name(system.coordinates[static_cast<std::size_t>(i)].velocity);
    return names.join(QStringLiteral(", "));
}

} // namespace driftless::ui
