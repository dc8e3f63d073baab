// The mode in which a run begins: what `equations` and `export` tell of a model is what `run` begins to integrate.
#include <QtTest>

#include "tests/app/Driver.h"
#include "tests/support/Draw.h"

using namespace driftless::testing;

namespace {

struct Begun {
    QString mode;
    int index = -1; ///< as the event tells it; -1: the mode is that of the base
};

/// What `run` tells at the start.
Begun begun(const QStringList& options, const QString& base)
{
    Begun out{.mode = base};
    const QJsonObject report = ask(QStringList{"run"} + options + QStringList{"--end", "1e-9"}).json();
    for (const auto& event : report["events"].toArray())
        if (event.toObject()["kind"].toString() == "mode" && event.toObject()["t"].toDouble() == 0) {
            out.mode = event.toObject()["data"].toObject()["to"].toString();
            out.index = event.toObject()["data"].toObject()["index"].toInt();
        }
    return out;
}

/// As a number stands in a file: parameters in one line each, "mu = { value = 0.5, ...".
std::vector<std::pair<QString, double>> parametersOf(const QString& model)
{
    std::vector<std::pair<QString, double>> out;
    QFile file(QString(DRIFTLESS_SOURCE_DIR) + "/resources/models/" + model + ".toml");
    if (!file.open(QIODevice::ReadOnly))
        return out;
    static const QRegularExpression line("^(\\w+) = \\{ value = ([-0-9.e]+),");
    for (const QString& text : QString::fromUtf8(file.readAll()).split('\n'))
        if (const auto found = line.match(text); found.hasMatch())
            out.emplace_back(found.captured(1), found.captured(2).toDouble());
    return out;
}

QStringList modelsWithModes()
{
    QStringList out;
    for (const auto& entry : ask({"list", "models", "--json"}).array())
        if (entry.toObject()["kind"].toString() == "mechanism")
            if (const QString name = entry.toObject()["id"].toString(); ask({"analyze", name}).json()["mode"].isString())
                out << name;
    return out;
}

} // namespace

class TestToldModes : public QObject {
    Q_OBJECT

private slots:
    void everyShippedModelIsToldAsItBegins()
    {
        const QStringList names = modelsWithModes();
        QVERIFY(names.size() > 10);
        int moved = 0;
        for (const QString& name : names) {
            const QString base = ask({"analyze", name}).json()["mode"].toString();
            for (const char* form : {"index-1", "projection"}) {
                const QStringList options{name, "--formulation", form};
                const Begun run = begun(options + QStringList{"--integrator", "dop853"}, base);
                const Answer told = ask(QStringList{"equations"} + options + QStringList{"--format", "latex"});
                QVERIFY2(told.code == 0 && told.messages() == 0, told.described());
                QCOMPARE(told.json()["mode"].toString(), run.mode);
                if (run.index >= 0)
                    QCOMPARE(told.json()["index"].toInt(), run.index);
                const Answer document = ask(QStringList{"export"} + options);
                QVERIFY2(document.code == 0, document.described());
                QVERIFY2(document.out.contains("Mode at the start: " + QString(run.mode).replace('_', "\\_").toUtf8() + "."),
                         document.out);
                for (const auto& row : told.json()["rows"].toArray())
                    if (const QByteArray equation = row.toObject()["equation"].toString().toUtf8(); equation.size() <= 160)
                        QVERIFY2(document.out.contains("$\\displaystyle " + equation + "$"), equation);
                moved += run.mode != base ? 1 : 0;
            }
        }
        QVERIFY(moved > 5); // begin elsewhere than in the base
    }

    /// Other values lead to other modes.
    void drawnParametersAreToldAsTheyBegin()
    {
        const QStringList names{"block-on-incline", "slack-pendulum", "stick-slip",
                                "block-on-belt",    "slider-stops",   "breaking-pendulum"};
        const std::uint64_t seed = driftless::test::seedOr(48);
        QSet<QString> modes;
        for (int k = 0, count = driftless::test::countOr(24); k < count; ++k) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const QString& name = draw.among(names);
            const auto parameters = parametersOf(name);
            QVERIFY(!parameters.empty());
            QStringList options{name};
            for (int n = draw.upTo(1, 3); n > 0; --n) {
                const auto& [parameter, value] = draw.among(parameters);
                options << "--set" << QString("%1=%2").arg(parameter).arg(value * draw.decimal(0.4, 1.6));
            }
            const Answer told = ask(QStringList{"equations"} + options);
            if (told.code != 0 || told.messages() > 0) // out of its range, or no run begins there
                continue;
            const Begun run = begun(options, ask({"analyze", name}).json()["mode"].toString());
            QVERIFY2(told.json()["mode"].toString() == run.mode,
                     QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ' ' + options.join(' ').toUtf8() + ": "
                         + told.json()["mode"].toString().toUtf8() + ", " + run.mode.toUtf8());
            modes << name + run.mode;
        }
        QVERIFY(driftless::test::countOr(24) < 24 || modes.size() >= 4);
    }

    /// What needs no start goes on without one, and says that the mode is not known.
    void withoutAStartTheBaseIsTold()
    {
        const Answer answer = ask({"equations", "slider-stops", "--set", "block.x=5"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.messages() == 1 && answer.err.contains("the run does not begin"),
                 answer.described());
        QVERIFY(answer.json()["mode"].isNull() && !answer.json()["rows"].toArray().isEmpty());
        QVERIFY(ask({"equations", "pendulum"}).json()["mode"].isNull());
        QCOMPARE(ask({"equations", "pendulum"}).messages(), 0);
    }

    void whatIsOfTheBaseSaysSo()
    {
        for (const QStringList& command : {QStringList{"analyze"}, {"equations", "--derivation"}}) {
            const Answer answer = ask(command + QStringList{"slack-pendulum"});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0 && answer.messages() == 1 && answer.err.contains("left out: string"), answer.described());
            QCOMPARE(answer.json()["mode"].toString(), QString("free"));
            QCOMPARE(answer.json()["left_out"].toArray().size(), 1);
            QCOMPARE(answer.json()["left_out"].toArray()[0].toObject()["kind"].toString(), QString("contact"));
            const Answer plain = ask(command + QStringList{"pendulum"});
            QVERIFY(plain.json()["mode"].isNull() && plain.json()["left_out"].toArray().isEmpty() && plain.messages() == 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestToldModes)
#include "test_told_modes.moc"
