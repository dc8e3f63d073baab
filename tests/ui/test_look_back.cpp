// label: long
// Honest time (acceptance 3): what the window shows at a time is what was integrated then. Recorded switches are scrubbed over,
// and formulation, integrator, equations, parameters and pivot are read at every time.
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>

#include <cmath>

#include "core/formulation/Formulation.h"
#include "tests/ui/WindowFixture.h"
#include "ui/document/LookBack.h"
#include "ui/panels/Controls.h"
#include "ui/views/EquationView.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

/// What the run was integrated with from a time on, noted when it was.
struct Noted {
    double from = 0;
    std::string formulation, integrator;
    double length = 0;
    std::vector<std::string> equations;
    std::vector<int> dummies;
};

std::vector<std::string> rowsOf(const std::vector<formulation::DescribedRow>& rows)
{
    std::vector<std::string> out;
    for (const auto& row : rows)
        out.push_back(row.equation);
    return out;
}

double lengthIn(const Document& d, const std::vector<double>& parameters)
{
    const auto& all = d.system().parameters;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].quantity.name == "L")
            return parameters[i];
    return std::nan("");
}

Noted note(Fixture& f, int run)
{
    const auto status = f.status(run);
    return {.from = f.document.laboratory().log().back().t,
            .formulation = status.settings.formulation,
            .integrator = status.settings.integrator,
            .length = lengthIn(f.document, status.parameters),
            .equations = rowsOf(f.document.laboratory().equations(f.id(run), expr::Format::Text)),
            .dummies = status.dummies};
}

/// The dummy since the last change of pivot of run 2 after `from` and until t; none where there was no such change.
std::optional<QString> pivotSince(Fixture& f, double from, double t)
{
    std::optional<QString> out;
    for (const auto& event : f.document.laboratory().events(f.id(1)))
        if (const auto* change = event.as<run::PivotChange>(); change && event.t > from && event.t <= t)
            out = QString::fromStdString(change->to.front());
    return out;
}

void goOn(Fixture& f, double seconds)
{
    const double t = f.time() + seconds;
    f.document.playback().play();
    QVERIFY(f.playUntil(t));
    f.document.playback().pause();
}

/// The time line as a person drags it.
void scrubTo(Fixture& f, double t)
{
    f.document.playback().scrub(t);
    f.window.showAt(t);
    QTest::qWait(120); // panels refresh ten times a second
}

} // namespace

class TestLookBack : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// First start at five times its speed, with switches of the second run: when each began, and what it was.
    static std::vector<Noted> recordSwitches(Fixture& f)
    {
        std::vector<Noted> noted;
        QTest::qWait(20);
        f.document.playback().setSpeed(5);
        noted.push_back(note(f, 1));
        noted.back().from = 0;
        goOn(f, 1);
        const int key = f.key(1);
        const auto done = [&](bool act) {
            QVERIFY(act);
            noted.push_back(note(f, 1));
            goOn(f, 1);
        };
        done(f.document.control().setFormulation(key, "baumgarte"));
        done(f.document.control().setParameter("L", 1.5));
        done(f.document.control().setIntegrator(key, "ida"));
        done(f.document.control().setFormulation(key, "dummy-derivatives"));
        done(f.document.control().setFormulation(key, "index-2"));
        return noted;
    }

    static const Noted& at(const std::vector<Noted>& noted, double t)
    {
        const Noted* found = &noted.front();
        for (const Noted& n : noted)
            if (n.from <= t)
                found = &n;
        return *found;
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void everyTimeShowsWhatWasIntegratedThere()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const auto noted = recordSwitches(f);
        f.document.bench().select(f.key(1));
        QVERIFY(f.window.openPage("equations"));
        auto* formulations = f.find<QComboBox>("formulation_2");
        auto* integrators = f.find<QComboBox>("integrator_2");
        auto* length = f.find<NumberField>("value_L");
        QVERIFY(formulations && integrators && length);
        const double end = f.time();
        std::vector<double> times;
        for (std::size_t i = 0; i < noted.size(); ++i) { // at each switch, shortly before and after, and between two
            const double next = i + 1 < noted.size() ? noted[i + 1].from : end;
            times.insert(times.end(), {noted[i].from, noted[i].from + 1e-6, (noted[i].from + next) / 2, next - 1e-6});
        }
        for (const double t : times) {
            scrubTo(f, t);
            const Noted& wanted = at(noted, t);
            const QByteArray where = QByteArray::number(t);
            QVERIFY2(formulations->currentData().toString().toStdString() == wanted.formulation, where);
            QVERIFY2(integrators->currentData().toString().toStdString() == wanted.integrator, where);
            QVERIFY2(length->value() == wanted.length, where);
            const QStringList rows = f.find<EquationView>("equations")->asText().split('\n', Qt::SkipEmptyParts);
            QVERIFY2(rows.size() == static_cast<qsizetype>(wanted.equations.size()), where);
            if (const auto pivot = pivotSince(f, wanted.from, t)) { // noted before the roles changed
                QVERIFY2(!rows.filter(QStringLiteral("[%1'']").arg(*pivot)).isEmpty(), where);
            } else {
                for (const std::string& equation : wanted.equations)
                    QVERIFY2(!rows.filter(QString::fromStdString(equation)).isEmpty(), equation.c_str());
                if (!wanted.dummies.empty())
                    QVERIFY2(f.document.shown(f.key(1)).dummies == wanted.dummies, where);
            }
            QCOMPARE(f.find<QWidget>("then_2")->isVisible(), wanted.formulation != noted.back().formulation
                                                                 || wanted.integrator != noted.back().integrator
                                                                 || wanted.length != noted.back().length);
        }
    }

    /// The parameters of then are those that draw the rod, too: it keeps touching its bob.
    void theSceneIsDrawnWithTheParametersOfThen()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        goOn(f, 0.5);
        const double switched = f.time();
        QVERIFY(f.document.control().setParameter("L", 2));
        goOn(f, 0.5);
        scrubTo(f, switched / 2);
        QCOMPARE(lengthIn(f.document, f.document.lookBack().parameters(f.key(0))), 1.0);
        scrubTo(f, f.document.bench().bench().furthest());
        QCOMPARE(lengthIn(f.document, f.document.lookBack().parameters(f.key(0))), 2.0);
    }

    void theBadgeLeadsBackToNow()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        auto* badge = f.find<QToolButton>("thenButton");
        QVERIFY(!badge->isVisible());
        goOn(f, 1);
        QTest::qWait(50);
        const double now = f.time();
        QVERIFY(!badge->isVisible());
        QVERIFY(!f.window.actionRegistry().at("now").text().isEmpty());
        f.document.playback().scrub(0.4);
        QTest::qWait(150);
        QVERIFY(badge->isVisible());
        QVERIFY(f.value("statusLabel").startsWith("Looking back"));
        QVERIFY(f.click("thenButton"));
        QTest::qWait(150);
        QCOMPARE(f.time(), now);
        QVERIFY(!badge->isVisible());
    }

    void anEditWhileLookingBackSaysThatItBranches()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        goOn(f, 1);
        f.document.playback().scrub(0.4);
        QTest::qWait(100);
        QVERIFY(f.document.control().setFormulation(f.key(1), "baumgarte"));
        QTest::qWait(50);
        bool said = false;
        for (const auto* label : f.window.findChildren<QLabel*>())
            said =
                said || (label->isVisible() && label->text() == "The runs will go on from t = 0.40 s"); // nothing is taken back
        QVERIFY(said);
        QVERIFY(!f.document.lookBack().looksBack());
        // Before the branch it is as it was.
        f.document.playback().scrub(0.2);
        QTest::qWait(150);
        QCOMPARE(f.find<QComboBox>("formulation_2")->currentData().toString(), QStringLiteral("index-1"));
    }

    void whatAnEditTakesBackIsSaid()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        goOn(f, 0.5);
        QVERIFY(f.document.control().setFormulation(f.key(1), "projection"));
        QVERIFY(f.document.control().setParameter("L", 1.5));
        goOn(f, 0.5);
        scrubTo(f, 0.25);
        QVERIFY(f.enter("value_g", "5"));
        QTest::qWait(50);
        QStringList said;
        for (const auto* label : f.window.findChildren<QLabel*>())
            if (label->isVisible() && label->text().startsWith("The runs will go on from"))
                said << label->text();
        QCOMPARE(said, QStringList{"The runs will go on from t = 0.25 s with index-1 (Run 2) and L = 1 m, as shown"});
        QCOMPARE(f.status(1).settings.formulation, std::string("index-1"));
        QCOMPARE(f.find<QComboBox>("formulation_2")->currentData().toString(), QStringLiteral("index-1"));
        QCOMPARE(f.find<NumberField>("value_L")->value(), 1.0);
    }

    /// Pivot, structure, gains and figures of a time are those of that time; what is of now says so.
    void panelsShowWhatWasThen()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().setSpeed(5);
        goOn(f, 6);
        f.document.bench().select(f.key(0));
        QVERIFY(f.window.openPage("structure"));
        QVERIFY(f.document.control().setFormulation(f.key(0), "baumgarte"));
        goOn(f, 1);
        QTest::qWait(150);
        QVERIFY(!f.find<QWidget>("structureAutomatic")->isVisible());
        QCOMPARE(f.value("gainsTitle"), QStringLiteral("Gains of Run 1"));
        QVERIFY(f.find<QLabel>("gainsTitle")->isVisible());
        QVERIFY(!f.value("cost_1").endsWith("now"));
        std::vector<std::pair<double, std::string>> changes;
        for (const auto& event : f.document.laboratory().events(f.id(0)))
            if (const auto* change = event.as<run::PivotChange>())
                changes.emplace_back(event.t, change->to.front());
        QVERIFY(changes.size() >= 2);
        for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
            const double t = (changes[i].first + changes[i + 1].first) / 2;
            scrubTo(f, t);
            const auto chip = [&](const char* name) {
                return f.find<QPushButton>(QStringLiteral("chip_1_%1''").arg(QString::fromUtf8(name)));
            };
            QVERIFY(f.find<QWidget>("structureAutomatic")->isVisible());
            QCOMPARE(chip("bob.x")->isChecked(), changes[i].second == "bob.x");
            QCOMPARE(chip("bob.y")->isChecked(), changes[i].second == "bob.y");
            const QStringList lines = f.value("pivotHistory").split('\n');
            QCOMPARE(lines.size(), std::min<qsizetype>(2, static_cast<qsizetype>(i) + 1));
            QVERIFY2(lines.front().startsWith(QString::number(changes[i].first, 'f', 2)), qPrintable(lines.front()));
            QVERIFY(!f.find<QLabel>("gainsTitle")->isVisible());
            QVERIFY(f.value("cost_1").endsWith("now"));
            QCOMPARE(f.value("residual_1"), figure(metricAt(f.document.bench(), f.key(0), "residual.position", t)));
        }
        scrubTo(f, changes.front().first / 2);
        QCOMPARE(f.value("pivotHistory"), QStringLiteral("No pivots yet"));
    }

    void aPivotIsThatOfThen()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().setSpeed(5);
        goOn(f, 6); // the pendulum passes where x and y change their roles
        std::vector<std::pair<double, std::vector<std::string>>> changes;
        for (const auto& event : f.document.laboratory().events(f.id(0)))
            if (const auto* change = event.as<run::PivotChange>())
                changes.emplace_back(event.t, change->to);
        QVERIFY(changes.size() >= 2);
        const auto& coordinates = f.document.system().coordinates;
        for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
            scrubTo(f, (changes[i].first + changes[i + 1].first) / 2);
            const auto dummies = f.document.shown(f.key(0)).dummies;
            QCOMPARE(dummies.size(), std::size_t(1));
            QCOMPARE(coordinates[static_cast<std::size_t>(dummies.front())].name, changes[i].second.front());
        }
    }
};

QTEST_MAIN(TestLookBack)
#include "test_look_back.moc"
