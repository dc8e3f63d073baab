// Settings, commands and logs survive JSON bit for bit, and strangers' sessions get one message instead of a crash.
#include <QtTest>

#include <cstring>
#include <random>

#include "core/run/SessionCodec.h"
#include "core/run/TableauFile.h"

using namespace driftless::run;

class TestSessionCodec : public QObject {
    Q_OBJECT
private slots:
    void doublesRoundTripExactly()
    {
        std::mt19937_64 random(7);
        for (int k = 0; k < 5000; ++k) {
            double x = 0;
            const std::uint64_t bits = random();
            std::memcpy(&x, &bits, sizeof x);
            if (!std::isfinite(x))
                continue;
            const Command before{x, bits, SetParameter{"L", x}};
            const Command after = codec::command(codec::Json::parse(codec::toJson(before).dump()));
            QVERIFY(std::memcmp(&after.t, &x, sizeof x) == 0);
            QVERIFY(after.afterSteps == bits);
            const double value = std::get<SetParameter>(after.payload).value;
            QVERIFY(std::memcmp(&value, &x, sizeof x) == 0);
        }
    }

    void everyPayloadComesBack()
    {
        driftless::integrate::IntegratorOptions o;
        o.step = 0.1 + 0.2;
        o.minNewtonIterations = 2;
        o.parameter = 0.75;
        const std::vector<CommandPayload> all{SetParameter{"L", 2}, SetFormulation{"ggl"}, SetIntegrator{"ida"}, SetOptions{o},
                                              SetPivot{{false, {"bob.x"}}}, SetGain{"xi", 1.5},
                                              SetState{{{"bob.x", 0.1 + 0.2}, {"bob.y'", -1}}, true}, Reset{}, Branch{3.25}, Restart{}};
        for (const CommandPayload& p : all) {
            const codec::Json j = codec::toJson(Command{1.5, 7, p});
            const Command back = codec::command(codec::Json::parse(j.dump()));
            QCOMPARE(back.payload.index(), p.index());
            QCOMPARE(codec::toJson(back).dump(), j.dump());
            QVERIFY(!describe(p).empty());
        }
    }

    /// A method of one's own goes with its tableau; one that is not the tableau of its id is refused.
    void ownMethodsComeBack()
    {
        const auto id = driftless::run::addTableau("name = \"Mine\"\nA = [[0, 0], [\"2/3\", 0]]\nb = [\"1/4\", \"3/4\"]\n", "mine.toml");
        QVERIFY(id.ok());
        RunSettings settings;
        settings.formulation = "index-1";
        settings.integrator = *id;
        const codec::Json command = codec::toJson(Command{0, 0, SetIntegrator{*id}}), run = codec::toJson(settings);
        QCOMPARE(std::get<SetIntegrator>(codec::command(codec::Json::parse(command.dump())).payload).id, *id);
        QCOMPARE(codec::runSettings(codec::Json::parse(run.dump())).integrator, *id);
        for (codec::Json j : {command, run})
            for (const char* text : {"A = [[0]]\nb = [1]\n", "A = [[", "A = [[0]]\nb = [2]\n"}) {
                j["tableau"] = text;
                QVERIFY_THROWS_EXCEPTION(std::invalid_argument, j.contains("do") ? (void)codec::command(j) : (void)codec::runSettings(j));
            }
        QVERIFY(!codec::toJson(Command{0, 0, SetIntegrator{"rk4"}}).contains("tableau"));
    }

    void brokenSessionsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("\x7f" "ELF\0\1", 6);
        QTest::newRow("deep") << QByteArray(1'000'000, '[');
        QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(200'000);
        QTest::newRow("no model") << QByteArray("{\"driftless_session\":1}");
        QTest::newRow("wrong version") << QByteArray("{\"driftless_session\":99}");
        QTest::newRow("wrong types") << QByteArray("{\"driftless_session\":1,\"model\":7}");
        QTest::newRow("array") << QByteArray("[1,2,3]");
        QTest::newRow("broken model") << QByteArray("{\"driftless_session\":1,\"model\":{\"name\":\"x\",\"text\":\"]]\"}}");
    }
    void brokenSessionsAreRefused()
    {
        QFETCH(QByteArray, text);
        const auto replayed = replaySession(text.toStdString(), "stranger.json");
        QVERIFY(!replayed.ok());
        QVERIFY(!replayed.error().what.empty());
    }
};

QTEST_APPLESS_MAIN(TestSessionCodec)
#include "test_session_codec.moc"
