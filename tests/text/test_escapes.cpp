// Text inside TOML, CSV, HTML and LaTeX.
#include <QtTest>

#include <string>

#include "core/text/Escapes.h"

using namespace driftless;

class TestEscapes : public QObject {
    Q_OBJECT
private slots:
    void tomlStringsKeepMarksAndLoseControls()
    {
        QCOMPARE(text::tomlString("rod"), std::string("\"rod\""));
        QCOMPARE(text::tomlString("a \"b\" \\c"), std::string("\"a \\\"b\\\" \\\\c\""));
        QCOMPARE(text::tomlString("a\nb\x7f"), std::string("\"a b \""));
        QCOMPARE(text::tomlString("λ"), std::string("\"λ\"")); // bytes above 0x7f are letters of UTF-8
    }

    void plainStringsHoldNothingThatWouldBeEscaped()
    {
        QCOMPARE(text::plainString("a \"b\" \\c\td\x7f"), std::string("\"a  b   c d \""));
        QCOMPARE(text::plainString("λ"), std::string("\"λ\""));
    }

    void cellsOfCsvAreQuotedWhereTheyMustBe()
    {
        QCOMPARE(text::csvCell("run 1"), std::string("run 1"));
        QCOMPARE(text::csvCell(""), std::string());
        QCOMPARE(text::csvCell("a,b"), std::string("\"a,b\""));
        QCOMPARE(text::csvCell("a\nb"), std::string("\"a\nb\""));
        QCOMPARE(text::csvCell("a\"b"), std::string("\"a\"\"b\""));
        QCOMPARE(text::csvQuoted("run 1"), std::string("\"run 1\""));
        QCOMPARE(text::csvQuoted("\""), std::string("\"\"\"\""));
    }

    void htmlAndLatexShowWhatTheyAreGiven()
    {
        QCOMPARE(text::html("a < b > c & d"), std::string("a &lt; b &gt; c &amp; d"));
        QCOMPARE(text::latex("x_1 {50%} #$&"), std::string("x\\_1 \\{50\\%\\} \\#\\$\\&"));
    }
};

QTEST_APPLESS_MAIN(TestEscapes)
#include "test_escapes.moc"
