// The nearest known name, names in quotation marks and lists of names.
#include <QtTest>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/text/Names.h"
#include "core/text/Sums.h"

using namespace driftless;

class TestNames : public QObject {
    Q_OBJECT
    const std::vector<std::string> known_{"length", "mass", "stiffness", "rtol", "start", "a"};

    std::string nearest(std::string_view typed) const { return text::nearestName(typed, known_); }

private slots:
    void lettersAddedLeftOutChangedAndExchangedAreForgiven()
    {
        QCOMPARE(nearest("lenght"), std::string("length"));      // exchanged: two changes
        QCOMPARE(nearest("stifness"), std::string("stiffness")); // left out
        QCOMPARE(nearest("masss"), std::string("mass"));
        QCOMPARE(nearest("Mass"), std::string("mass")); // capitals are no change
        QCOMPARE(nearest("rtl"), std::string("rtol"));
        QCOMPARE(nearest("length"), std::string("length"));
    }

    void whatIsFarIsNotOffered()
    {
        QCOMPARE(nearest("gravity"), std::string());
        QCOMPARE(nearest("rt"), std::string());     // two letters away from three typed ones
        QCOMPARE(nearest("b"), std::string());      // every letter would change
        QCOMPARE(nearest("lxxxth"), std::string()); // three of six
        QCOMPARE(nearest(""), std::string());
        QCOMPARE(text::nearestName("mass", {}), std::string());
    }

    void theFirstOfEquallyNearOnesIsTaken()
    {
        const std::vector<std::string> methods{"bdf1", "bdf2", "bdf3"};
        QCOMPARE(text::nearestName("bdf7", methods), std::string("bdf1"));
        QCOMPARE(text::nearestName("bdf3", methods), std::string("bdf3"));
    }

    void hugeNamesAndListsCostNothing()
    {
        const std::string longName(65, 'x');
        QCOMPARE(text::nearestName(longName, std::vector<std::string>{longName}), std::string());
        std::vector<std::string> many(2000, "nothing like it");
        many.push_back("mass");
        QCOMPARE(text::nearestName("mas", many), std::string());
        many.erase(many.begin());
        QCOMPARE(text::nearestName("mas", many), std::string("mass"));
    }

    void longNamesAreCutBetweenCharacters()
    {
        QCOMPARE(text::shortened("rod"), std::string("rod"));
        QCOMPARE(text::shortened(std::string(60, 'x')), std::string(60, 'x'));
        QCOMPARE(text::shortened(std::string(61, 'x')), std::string(60, 'x') + "...");
        QCOMPARE(text::shortened(std::string(59, 'x') + "λλ"),
                 std::string(59, 'x') + "..."); // the 60th byte begins a letter of two
        QCOMPARE(text::quoted("rod"), std::string("\"rod\""));
    }

    void listsHaveCommasAndAWord()
    {
        using Names = std::vector<std::string>;
        QCOMPARE(text::joined(Names{}), std::string());
        QCOMPARE(text::joined(Names{"a", "b"}), std::string("a, b"));
        QCOMPARE(text::joined(Names{"", "b"}), std::string(", b")); // an empty name keeps its place
        QCOMPARE(text::joined(Names{"a", "b"}, "; "), std::string("a; b"));
        QCOMPARE(text::joined(std::vector<int>{1, 2}, [](int i) { return std::to_string(10 * i); }), std::string("10, 20"));
        const auto same = [](const std::string& name) { return name; };
        QCOMPARE(text::enumerated(Names{}, same, " and "), std::string());
        QCOMPARE(text::enumerated(Names{"a"}, same, " and "), std::string("a"));
        QCOMPARE(text::enumerated(Names{"a", "b", "c"}, same, ", or "), std::string("a, b, or c"));
        QCOMPARE(text::alternatives(Names{}), std::string());
        QCOMPARE(text::alternatives(Names{"a"}), std::string("a"));
        QCOMPARE(text::alternatives(Names{"a", "b"}), std::string("a or b"));
        QCOMPARE(text::alternatives(Names{"a", "b", "c"}), std::string("a, b or c"));
    }

    void signsStandBetweenTermsAndBeforeTheFirst()
    {
        std::string sum;
        for (const int k : {-2, 3, -4})
            sum += std::string(text::signOf(k < 0, sum.empty())) + std::to_string(std::abs(k));
        QCOMPARE(sum, std::string("-2 + 3 - 4"));
        QCOMPARE(text::signOf(false, true), std::string_view());
    }

    void longListsAreCut()
    {
        const std::vector<std::string> names{"a", "b", "c", "d"};
        QCOMPARE(text::firstOf(names, 4), std::string("a, b, c, d"));
        QCOMPARE(text::firstOf(names, 3), std::string("a, b, c and 1 more"));
        QCOMPARE(text::firstOf(names), std::string("a, b, c, d"));
        const auto number = [](int i) { return std::to_string(i); };
        QCOMPARE(text::firstOf(std::vector<int>{1, 2, 3}, number, 1), std::string("1 and 2 more"));
    }
};

QTEST_APPLESS_MAIN(TestNames)
#include "test_names.moc"
