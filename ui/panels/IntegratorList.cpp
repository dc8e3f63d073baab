#include "ui/panels/IntegratorList.h"

#include <QComboBox>

#include "core/integrate/RungeKutta.h"

namespace driftless::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace

void listIntegrators(QComboBox& combo)
{
    constexpr int kVisible = 24; // what a window of 720 pixels has room for
    const auto add = [&combo](const integrate::IntegratorInfo& info, bool apart) {
        if (combo.findData(text(info.id)) >= 0)
            return;
        if (apart)
            combo.insertSeparator(combo.count());
        combo.addItem(text(info.id), text(info.id));
        combo.setItemData(combo.count() - 1, integratorTip(info), Qt::ToolTipRole);
    };
    const auto catalogue = integrate::integratorCatalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i)
        add(catalogue[i], i > 0 && catalogue[i].family != catalogue[i - 1].family);
    const auto own = integrate::ownMethods();
    for (const auto& method : own)
        add(method->info, method == own.front());
    combo.setMaxVisibleItems(kVisible);
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
