#include "ui/panels/IntegratorList.h"

#include <QComboBox>

#include "core/integrate/RungeKutta.h"
#include "ui/panels/FormulationList.h"

namespace driftless::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace

void listIntegrators(QComboBox& combo)
{
    constexpr int kVisible = 24; // what a window of 720 pixels has room for
    const auto add = [&combo](const integrate::IntegratorInfo& info, const QString& heading) {
        if (combo.findData(text(info.id)) >= 0)
            return;
        if (!heading.isEmpty())
            addHeading(combo, heading);
        combo.addItem(QStringLiteral("%1 (%2)").arg(text(info.title), text(info.id)), text(info.id));
        combo.setItemData(combo.count() - 1, integratorTip(info), Qt::ToolTipRole);
    };
    const bool empty = combo.count() == 0;
    const auto catalogue = integrate::integratorCatalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i) {
        const bool begins = i == 0 || catalogue[i].family != catalogue[i - 1].family;
        const QString family = text(integrate::familyName(catalogue[i].family));
        add(catalogue[i], begins ? family.left(1).toUpper() + family.mid(1) : QString());
    }
    const auto own = integrate::ownMethods();
    for (const auto& method : own)
        add(method->info, method == own.front() ? QObject::tr("Your own") : QString());
    combo.setMaxVisibleItems(kVisible);
    if (empty)
        combo.setCurrentIndex(1); // the first is a heading
}

QString integratorTip(const integrate::IntegratorInfo& info)
{
    const QString order = info.order > 0 ? QObject::tr("order %1").arg(info.order) : QObject::tr("variable order");
    const QString step = info.adaptive ? QObject::tr("chooses its step") : QObject::tr("fixed step");
    return QObject::tr("<p><b>%1</b><br>%2 · %3 · %4 · up to index %5<br>%6</p><p>%7</p>")
        .arg(text(info.title).toHtmlEscaped(), text(integrate::familyName(info.family)), order, step)
        .arg(info.maxIndex)
        .arg(text(info.source).toHtmlEscaped(), text(info.summary).toHtmlEscaped());
}

} // namespace driftless::ui
