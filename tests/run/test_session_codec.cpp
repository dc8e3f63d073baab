// Settings, commands and logs survive JSON bit for bit, and strangers' sessions get one message instead of a crash.
#include <QtTest>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/run/SessionCodec.h"
#include "core/run/TableauFile.h"
#include "core/system/Model.h"

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
        o.tolerances = {{"bob.x", 0.1 + 0.2}};
        const std::vector<CommandPayload> all{SetParameter{"L", 2},
                                              SetFormulation{"ggl"},
                                              SetIntegrator{"ida"},
                                              SetOptions{o},
                                              SetPivot{{false, {"bob.x"}}},
                                              SetGain{"xi", 1.5},
                                              SetState{{{"bob.x", 0.1 + 0.2}, {"bob.y'", -1}}, true},
                                              Reset{},
                                              Branch{3.25},
                                              Branch{3.25, RunSettings{.formulation = "ggl", .options = o}, {{"L", 0.1 + 0.2}}},
                                              Restart{}};
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
        const auto id =
            driftless::run::addTableau("name = \"Mine\"\nA = [[0, 0], [\"2/3\", 0]]\nb = [\"1/4\", \"3/4\"]\n", "mine.toml");
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
                QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                         j.contains("do") ? (void)codec::command(j) : (void)codec::runSettings(j));
            }
        QVERIFY(!codec::toJson(Command{0, 0, SetIntegrator{"rk4"}}).contains("tableau"));
    }

    void brokenSessionsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("\x7f"
                                                "ELF\0\1",
                                                6);
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

    /// Every key of a good session left out, and every value replaced by one of another kind: words of our own, or no harm.
    void everyMissingOrWrongPartIsSaidInOurWords()
    {
        const codec::Json good = codec::Json::parse(session(2, 8));
        QVERIFY(replaySession(good.dump(), "good.driftless"));
        std::vector<codec::Json::json_pointer> all;
        places(good, codec::Json::json_pointer(), all);
        QVERIFY(all.size() > 30);
        int refused = 0;
        for (const auto& place : all) {
            std::vector<codec::Json> changed;
            if (!place.empty()) {
                changed.push_back(good);
                codec::Json& parent = changed.back()[place.parent_pointer()];
                if (parent.is_object())
                    parent.erase(place.back());
                else
                    parent.erase(0);
            }
            for (const codec::Json& wrong :
                 {codec::Json(), codec::Json(true), codec::Json(-1), codec::Json("x"), codec::Json::array(),
                  codec::Json::object(), codec::Json(9223372036854775808ULL), codec::Json(4294967297LL)}) {
                changed.push_back(good);
                changed.back()[place] = wrong;
            }
            for (const codec::Json& j : changed) {
                const auto replayed = replaySession(j.dump(), "stranger.driftless");
                if (replayed)
                    continue;
                ++refused;
                const std::string text = replayed.error().text();
                QVERIFY2(!text.empty() && text.find("exception") == std::string::npos
                             && text.find("type must be") == std::string::npos,
                         text.c_str());
            }
        }
        QVERIFY2(refused > 200, qPrintable(QString::number(refused)));
    }

    /// Equations are reduced near what they were opened with, whatever start values a person set since. The text's own a = 0 is
    /// refused.
    void equationsAreReducedAsTheyWereRecorded()
    {
        const auto text = [](const char* a) {
            return std::string("model near\n parameter Real a = ") + a
                   + "; Real x(start = 1, fixed = true); Real y;\nequation\n der(x) = y;\n a*y = -x;\nend near;\n";
        };
        QVERIFY(!driftless::reduction::readModel(text("0"), "near.mo"));
        const std::map<std::string, double> none, two{{"a", 2}};
        for (const auto& near : {none, two}) {
            const auto model = driftless::reduction::readModel(text(near.empty() ? "1" : "0"), "near.mo", near);
            QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
            const auto system = driftless::model::CompiledSystem::compile(*model);
            QVERIFY(system);
            StartSettings start;
            start.parameters = {{"a", 3}};
            start.values = {{"x", 1.5}};
            Laboratory laboratory(*system, start);
            RunSettings settings;
            settings.formulation = "dummy-derivatives";
            settings.integrator = "ida";
            const auto id = laboratory.addRun(settings);
            QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
            laboratory.waitUntil(0.5);
            const std::string json = laboratory.sessionJson();
            QCOMPARE(codec::Json::parse(json)["model"].contains("near"), !near.empty());
            const auto replayed = replaySession(json, "near.driftless");
            QVERIFY2(replayed.ok(), replayed ? "" : replayed.error().text().c_str());
            QVERIFY(replayed->system->model().reduced->stated == near);
            const auto& recording = replayed->runs.front()->recording();
            const auto live = laboratory.recording(*id);
            const std::size_t last = recording.rowCount() - 1;
            QVERIFY(last > 3 && recording.rowCount() <= live.rowCount());
            QVERIFY(recording.time(last) == live.time(last) && recording.value(last, 0) == live.value(last, 0));
            const auto again = Laboratory::open(json, "near.driftless"); // and a session saved once more keeps it
            QVERIFY(again);
            QCOMPARE(codec::Json::parse((*again)->sessionJson())["model"].dump(), codec::Json::parse(json)["model"].dump());
        }
        codec::Json wrong = codec::Json::parse(session(1, 1));
        wrong["model"]["near"] = {{"a", "two"}};
        QVERIFY(!replaySession(wrong.dump(), "near.driftless"));
    }

    void brokenJsonIsNamedWithItsPlace()
    {
        std::string text = codec::Json::parse(session(1, 1)).dump(1);
        const std::size_t at = text.find("\"start\"");
        text.insert(at, "?");
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        const auto replayed = replaySession(text, "broken.driftless");
        QVERIFY(!replayed);
        const std::string said = replayed.error().text();
        QVERIFY2(said.find("line " + std::to_string(line) + ", column 2") != std::string::npos, said.c_str());
    }

    /// Many runs share what one session may have.
    void recordingsOfASessionShareOneBudget()
    {
        constexpr std::uint64_t kBudget = 3 << 20;
        const auto bytes = [](const ReplayedSession& s) {
            std::uint64_t sum = 0;
            for (const auto& run : s.runs)
                sum += run->recording().rowCount() * static_cast<std::uint64_t>(run->recording().columnCount() + 1)
                       * sizeof(double);
            return sum;
        };
        const std::string json = session(6, 30'000);
        const auto free = replaySession(json, "many.driftless");
        const auto bound = replaySession(json, "many.driftless", nullptr, kBudget);
        QVERIFY(free && bound);
        QVERIFY2(bytes(*free) > 6 * kBudget, qPrintable(QString::number(bytes(*free))));
        // Of each run the open chunk, of 4096 rows, comes on top.
        QVERIFY2(bytes(*bound) < 3 * kBudget, qPrintable(QString::number(bytes(*bound))));
        for (std::size_t k = 0; k < free->runs.size(); ++k)
            QVERIFY(free->runs[k]->namedState() == bound->runs[k]->namedState());
    }

    /// A replay tells how far it is, and stops when asked to, between two steps.
    void aReplayCanBeStopped()
    {
        const std::string json = session(1, 1'000'000'000);
        ReplayWatch watch;
        std::thread impatient([&] {
            while (watch.share == 0)
                std::this_thread::yield();
            watch.stop = true;
        });
        const auto replayed = replaySession(json, "endless.driftless", &watch);
        impatient.join();
        QVERIFY(!replayed);
        QVERIFY2(replayed.error().text().find("stopped") != std::string::npos, replayed.error().text().c_str());
        // The same where a command is waited for.
        codec::Json j = codec::Json::parse(session(1, 10));
        codec::Json command = codec::toJson(Command{1e9, 900'000'000, SetParameter{"L", 1.5}});
        j["log"].push_back({{"kind", "command"}, {"t", 1e9}, {"runs", {0}}, {"commands", {command}}});
        // A time that no step reaches: the run has made all its steps long before.
        codec::Json far = j;
        far["log"].back()["commands"][0] = codec::toJson(Command{1e14, 5, SetParameter{"L", 1.5}});
        const auto refused = replaySession(far.dump(), "endless.driftless");
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("beyond its last step") != std::string::npos, refused.error().text().c_str());
        ReplayWatch second;
        second.stop = true;
        QVERIFY(!replaySession(j.dump(), "endless.driftless", &second));
    }

private:
    /// A session of runs of a small model, each with so many steps.
    static std::string session(int runs, std::uint64_t steps)
    {
        const auto model = driftless::model::openModel("pendulum");
        if (!model)
            qFatal("the pendulum is not there");
        RunSettings settings;
        settings.formulation = "index-1";
        settings.integrator = "rk4";
        settings.options.step = 1e-3;
        codec::Json out{{"driftless_session", 1},
                        {"model", {{"name", (*model)->name}, {"text", (*model)->text}}},
                        {"start", codec::toJson(StartSettings{})},
                        {"log", codec::Json::array()},
                        {"end", {{"t", 0.001}, {"runs", codec::Json::array()}}}};
        for (int k = 0; k < runs; ++k) {
            LogEntry entry;
            entry.kind = LogEntry::Kind::AddRun;
            entry.runs = {{k}};
            entry.settings = settings;
            out["log"].push_back(codec::toJson(entry));
            out["end"]["runs"].push_back({{"id", k}, {"steps", steps}, {"t", 1e-3 * static_cast<double>(steps)}});
        }
        LogEntry change;
        change.runs = {{0}};
        change.commands = {Command{0, 0, SetParameter{"L", 1.25}}};
        out["log"].push_back(codec::toJson(change));
        return out.dump();
    }

    /// Every place in a JSON, of a list the first entry.
    static void places(const codec::Json& j, const codec::Json::json_pointer& here, std::vector<codec::Json::json_pointer>& out)
    {
        out.push_back(here);
        if (j.is_object())
            for (const auto& [key, value] : j.items())
                places(value, here / key, out);
        if (j.is_array() && !j.empty())
            places(j[0], here / std::size_t(0), out);
    }
};

QTEST_APPLESS_MAIN(TestSessionCodec)
#include "test_session_codec.moc"
