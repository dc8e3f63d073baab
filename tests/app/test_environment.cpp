// needs: window
// Commands on machines that differ from a developer's: a few pairs, one of them drawn from a printed seed (DRIFTLESS_SEED sets
// another). test_environment_walk tries every pair.
#include <QtTest>

#include "tests/app/Environments.h"
#include "tests/support/Draw.h"

using namespace driftless::testing;

class TestEnvironment : public QObject {
    Q_OBJECT

private slots:
    void machinesDoNotMatter()
    {
        QTemporaryDir folder;
        const auto seed = driftless::test::seedOr(29);
        qInfo("DRIFTLESS_SEED=%llu", static_cast<unsigned long long>(seed));
        driftless::test::Draw draw(seed);
        const auto places = environments(folder.path());
        const auto commands = portables();
        const bool draws = drawsFiles();
        struct Pair {
            std::size_t command, place;
        };
        std::vector<Pair> pairs{
            {static_cast<std::size_t>(draw.bits() % commands.size()), static_cast<std::size_t>(draw.bits() % places.size())}};
        for (std::size_t c = 0; c < commands.size(); ++c)
            for (std::size_t p = 0; p < places.size(); ++p) {
                const QByteArray command = commands[c].name, place = places[p].name;
                if ((command == "figure and table" && (place == "a decimal comma" || place == "no fonts"))
                    || (command == "picture" && place == "no EGL") || (command == "table of a run" && place == "no home"))
                    pairs.push_back({c, p});
            }
        Machine machine;
        QMap<std::size_t, Machine::Outcome> plain;
        for (const auto& [command, place] : pairs) {
            if (commands[command].draws && !draws)
                continue;
            if (!plain.contains(command))
                plain[command] = machine.run(commands[command], {});
            QVERIFY2(plain[command].answer.code == 0, plain[command].answer.described());
            const auto there = machine.run(commands[command], places[place].set);
            const QByteArray wrong = Machine::judged(commands[command], places[place], plain[command], there);
            QVERIFY2(wrong.isEmpty(), wrong);
        }
        if (qstrcmp(places.back().name, "a decimal comma") != 0)
            QSKIP("there is no localedef to make a locale with a decimal comma");
    }
};

QTEST_GUILESS_MAIN(TestEnvironment)
#include "test_environment.moc"
