// Numbers to text and back: every meaning against C's printf, which the names in Numbers.h promise, and read back bit for bit.
#include <QtTest>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/text/Numbers.h"

using namespace driftless;

namespace {

std::string printed(const char* format, int digits, double value)
{
    char buffer[512];
    std::snprintf(buffer, sizeof buffer, format, digits, value);
    return buffer;
}

/// Ends, ties, powers, and doubles of random bits.
std::vector<double> numbers()
{
    using Limits = std::numeric_limits<double>;
    std::vector<double> out{0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.1,
                            1.0 / 3,
                            2.5,
                            0.5,
                            1e-5,
                            9.9999995e-5,
                            1e15,
                            1e16,
                            1e300,
                            1e-300,
                            123456,
                            1234567.0,
                            12345678901234567000.0,
                            Limits::max(),
                            Limits::min(),
                            Limits::denorm_min()};
    std::mt19937_64 draw(7);
    while (out.size() < 3000)
        if (const auto value = std::bit_cast<double>(draw()); std::isfinite(value))
            out.push_back(value);
    return out;
}

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

} // namespace

class TestNumbers : public QObject {
    Q_OBJECT
private slots:
    void exactReadsBackBitForBit_andNoShorterTextDoes()
    {
        for (const double x : numbers()) {
            const auto back = text::readNumber(text::exact(x));
            QVERIFY2(back && same(*back, x), text::exact(x).c_str());
            const auto digits = [](const std::string& s) {
                std::size_t count = 0;
                for (const char c : s.substr(0, s.find('e')))
                    count += c >= '0' && c <= '9';
                return count;
            };
            // %.*g with one digit less than the shortest form has is another number.
            const std::string scientific = text::exact(x);
            if (scientific.find('e') != std::string::npos && digits(scientific) > 1) {
                const auto rounder = text::readNumber(text::rounded(x, static_cast<int>(digits(scientific)) - 1));
                QVERIFY2(!rounder || !same(*rounder, x), scientific.c_str()); // none: above all doubles
            }
        }
        QCOMPARE(text::exact(0.1), std::string("0.1"));
        QCOMPARE(text::exact(1e-7), std::string("1e-07"));
    }

    void roundedFixedAndScientificAreThoseOfC()
    {
        for (const double x : numbers()) {
            for (const int digits : {1, 2, 3, 6, 7, 10, 17})
                QCOMPARE(text::rounded(x, digits), printed("%.*g", digits, x));
            for (const int decimals : {0, 1, 6})
                QCOMPARE(text::fixed(x, decimals), printed("%.*f", decimals, x));
            QCOMPARE(text::scientific(x, 1), printed("%.*e", 1, x));
        }
        QCOMPARE(text::rounded(1.0 / 3), std::string("0.333333"));
        QCOMPARE(text::fixed(-std::numeric_limits<double>::max(), 40),
                 printed("%.*f", 40, -std::numeric_limits<double>::max()));
    }

    void seventeenDigitsKeepEveryBit()
    {
        for (const double x : numbers()) {
            const auto back = text::readNumber(text::rounded(x, 17));
            QVERIFY2(back && same(*back, x), text::rounded(x, 17).c_str());
        }
    }

    void whatIsNoNumberHasAWord()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
        QCOMPARE(text::exact(infinite), std::string("inf"));
        QCOMPARE(text::rounded(-infinite), std::string("-inf"));
        QCOMPARE(text::fixed(nan, 2), std::string("nan"));
        QCOMPARE(text::csvNumber(nan), std::string());
        QCOMPARE(text::csvNumber(infinite), std::string("inf"));
        QCOMPARE(text::csvNumber(0.25), std::string("0.25"));
    }

    void aTomlFloatIsNeverAWholeNumber()
    {
        QCOMPARE(text::tomlFloat(3), std::string("3.0"));
        QCOMPARE(text::tomlFloat(-0.0), std::string("-0.0"));
        QCOMPARE(text::tomlFloat(0.5), std::string("0.5"));
        QCOMPARE(text::tomlFloat(1e300), std::string("1e+300"));
        for (const double x : numbers())
            QVERIFY(text::tomlFloat(x).find_first_of(".e") != std::string::npos
                    && same(*text::readNumber(text::tomlFloat(x)), x));
    }

    void readingTakesTheWholeTextOrNothing()
    {
        QCOMPARE(text::readNumber("2.5e-3"), std::optional(2.5e-3));
        QCOMPARE(text::readNumber("-7"), std::optional(-7.0));
        for (const char* wrong : {"", " 1", "1 ", "1,5", "1.5x", "+1", "0x10", "1e999", "1e", "--1", "."})
            QVERIFY2(!text::readNumber(wrong), wrong);
    }

    void aPointIsAPointInEveryLanguage()
    {
        const std::string before = std::setlocale(LC_NUMERIC, nullptr);
        bool found = false;
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
            found = found || std::setlocale(LC_NUMERIC, name);
        QCOMPARE(text::rounded(0.5), std::string("0.5"));
        QCOMPARE(text::readNumber("0.5"), std::optional(0.5));
        std::setlocale(LC_NUMERIC, before.c_str());
        if (!found)
            QSKIP("no language with a decimal comma is installed here");
    }
};

QTEST_APPLESS_MAIN(TestNumbers)
#include "test_numbers.moc"
