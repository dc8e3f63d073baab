// Text inside TOML, CSV, HTML, LaTeX and command lines.
#include <QtTest>

#include <string>

#include "core/text/Escapes.h"
#include "tests/support/Draw.h"

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

    void wordsOfAShellStayPlainWhereTheyCan()
    {
        QCOMPARE(text::shellWord("L=1.25"), std::string("L=1.25"));
        QCOMPARE(text::shellWord("bob.x'=0.1"), std::string("\"bob.x'=0.1\""));
        QCOMPARE(text::shellWord("a b"), std::string("'a b'"));
        QCOMPARE(text::shellWord(""), std::string("''"));
    }

    /// One word, whatever is in it, to the last byte.
    void aShellReadsTheWordThatWasMeant()
    {
        const std::uint64_t seed = test::seedOr(48);
        const std::string signs = "ab1 '\"\\$`!*?[]{}()<>|&;~#^=%\n\t\x01\x7f\xc3\xa9";
        std::string command = "printf '%s\\0'";
        QByteArray meant;
        for (int k = 0, count = test::countOr(300); k < count; ++k) {
            test::Draw draw(seed + static_cast<std::uint64_t>(k));
            std::string word;
            for (int n = draw.upTo(0, 12); n > 0; --n)
                word += draw.among(signs);
            command += ' ' + text::shellWord(word);
            meant += QByteArray::fromStdString(word) + '\0';
        }
        QVERIFY(command.find('\n') == std::string::npos); // one line
        QProcess shell;
        shell.start("bash", {"-c", QString::fromLatin1(QByteArray::fromStdString(command))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), QString::fromLatin1(meant));
    }

    void htmlAndLatexShowWhatTheyAreGiven()
    {
        QCOMPARE(text::html("a < b > c & d"), std::string("a &lt; b &gt; c &amp; d"));
        QCOMPARE(text::latex("x_1 {50%} #$&"), std::string("x\\_1 \\{50\\%\\} \\#\\$\\&"));
    }
};

QTEST_APPLESS_MAIN(TestEscapes)
#include "test_escapes.moc"
