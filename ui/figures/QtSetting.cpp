#include "ui/figures/QtSetting.h"

#include <QFont>
#include <QFontMetrics>
#include <QLocale>

#include <clocale>

namespace driftless::figures {

Result<void> settleQt()
{
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());       // of fields that numbers are typed into
    if (!QFontMetrics(QFont()).inFont(u'a')) // families have names even where there is none
        return Diagnostic{.what = "There are no fonts to write with",
                          .why = "every letter would be an empty box",
                          .remedy = "install some (fonts-inter, fonts-dejavu-core), or see what FONTCONFIG_FILE names"};
    return {};
}

} // namespace driftless::figures
