// Texts of files from strangers in the window: shown as they stand, never a reason to open another file.
#include <QtTest>

#include <QApplication>
#include <QLabel>
#include <QTextBlock>
#include <QTextDocument>

#include "ui/views/LessonText.h"
#include "ui/views/TextGuard.h"

using namespace driftless::ui;

namespace {

const QStringList kHostile{"![a](pipe)",
                           "!![a](pipe)",
                           "\\![a](pipe)",
                           "![a][r]\n\n[r]: pipe",
                           "[![a](pipe)](pipe)",
                           "<img src='pipe'>",
                           "a <IMG SRC=pipe> b",
                           "<body background='pipe'>x</body>",
                           "<table><tr><td style=\"background-image: url('pipe')\">x</td></tr></table>",
                           "<link rel='stylesheet' href='pipe'>x",
                           "<style>@import url(pipe);</style>x",
                           "`![a](pipe)`",
                           "> ![a](pipe)",
                           "* ![a](pipe)"};

int pictures(const QTextDocument& document)
{
    int count = 0;
    for (const QTextFormat& format : document.allFormats())
        count += format.isImageFormat();
    return count;
}

} // namespace

class TestStrangers : public QObject {
    Q_OBJECT
private slots:
    void lessonTextsHoldNoPictures()
    {
        for (const QString& text : kHostile) {
            QTextDocument document;
            setLessonText(document, text, 14);
            QVERIFY2(pictures(document) == 0, qPrintable(text));
            // As a label reads it.
            QTextDocument label;
            label.setMarkdown(harmlessMarkdown(text));
            QVERIFY2(pictures(label) == 0, qPrintable(text));
        }
        // The test can fail: Qt finds pictures where nobody keeps it from it.
        QTextDocument open;
        open.setMarkdown(kHostile.first());
        QVERIFY(pictures(open) > 0);
    }

    void onlyLinksToPagesStay()
    {
        QTextDocument document;
        setLessonText(
            document,
            "[a](file:///etc/passwd) **[b](https://example.org)** [c](javascript:x) [d](other.toml) [e](//host/x) and *words*",
            14);
        QStringList links;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            for (auto it = block.begin(); !it.atEnd(); ++it)
                if (it.fragment().charFormat().isAnchor())
                    links << it.fragment().charFormat().anchorHref();
        QCOMPARE(links, QStringList{"https://example.org"});
        QCOMPARE(document.toPlainText(), QString("a b c d e and words"));
    }

    void labelsShowTextsAsTheyStand()
    {
        QWidget window;
        TextGuard guard(&window);
        for (const QString& text : kHostile) {
            QLabel label(text);
            label.ensurePolished();
            QCOMPARE(label.textFormat(), Qt::PlainText);
            QCOMPARE(label.text(), text);
            label.setToolTip(text);
            QVERIFY2(!loadsSomething(label.toolTip()), qPrintable(label.toolTip()));
            QVERIFY2(label.toolTip() == text || label.toolTip() == text.toHtmlEscaped(),
                     qPrintable(label.toolTip())); // once, not twice
        }
        QLabel rich("<b>own words</b>");
        rich.setTextFormat(Qt::RichText);
        rich.ensurePolished();
        QCOMPARE(rich.textFormat(), Qt::RichText);
        rich.setToolTip("<p><b>a</b><br>b</p>");
        QCOMPARE(rich.toolTip(), QString("<p><b>a</b><br>b</p>"));
    }
};

QTEST_MAIN(TestStrangers)
#include "test_strangers.moc"
