// Many pictures on few pages: what the documentation shows of all figures at a glance.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

#include "core/base/Result.h"
#include "ui/figures/Figure.h"

namespace driftless::figures {

struct ContactEntry {
    QString file;    ///< a PNG
    QString caption; ///< mark-up of Figure.h, drawn below; one line
};

struct ContactStyle {
    QString title;
    QSizeF millimetres{210, 297}; ///< of a page
    int columns = 3;
    double points = 7;
    Theme theme = Theme::Light;
    double dpi = 150; ///< of PNG pages, and at most of the pictures in a PDF
};

/// Rows of pictures in the given order, each as large as its cell allows, as many pages as needed. path ends in .pdf: one file;
/// in .png: one file when a page suffices, else NAME-1.png, NAME-2.png, ... Answers what was written.
/// Fails when a picture cannot be read (at most 16384 pixels a side), when there is none, or more than 1000.
Result<QStringList> makeContactSheet(const std::vector<ContactEntry>& entries, const QString& path,
                                     const ContactStyle& style = {});

} // namespace driftless::figures
