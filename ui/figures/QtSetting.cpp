#include "ui/figures/QtSetting.h"

#include <QDir>
#include <QFont>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QLocale>

#include <clocale>

#include "core/text/OwnPath.h"
#include "core/text/PathText.h"

namespace driftless::figures {

namespace {

/// Those of an archive for systems that may have none of them.
void addOwnFonts()
{
    const auto folder = ownPath().parent_path() / "../../share/driftless/fonts"; // from libexec/driftless
    const QDir fonts(QString::fromStdU16String(pathToText(folder.string())));
    for (const QString& name : fonts.entryList({QStringLiteral("*.otf"), QStringLiteral("*.ttf")}, QDir::Files, QDir::Name))
        QFontDatabase::addApplicationFont(fonts.filePath(name));
}

} // namespace

Result<void> settleQt()
{
    std::setlocale(LC_NUMERIC, "C");
    addOwnFonts();
    QLocale::setDefault(QLocale::c());       // of fields that numbers are typed into
    if (!QFontMetrics(QFont()).inFont(u'a')) // families have names even where there is none
        return Diagnostic{.what = "There are no fonts to write with",
                          .why = "every letter would be an empty box",
                          .remedy = "install some (fonts-inter, fonts-dejavu-core), or see what FONTCONFIG_FILE names"};
    return {};
}

} // namespace driftless::figures
