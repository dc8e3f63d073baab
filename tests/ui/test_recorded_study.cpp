// A session driven by clicks in the window, saved as a study, gives the window's own numbers without the window.
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/app/Driver.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Exports.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

QByteArrayList linesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList{};
}

} // namespace

class TestRecordedStudy : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void clicksReplayHeadlesslyToTheSameCsv()
    {
        const QString csv = folder_.filePath("window.csv"), study = folder_.filePath("clicked.toml"),
                      out = folder_.filePath("out");
        QStringList names;
        {
            Fixture f;
            QVERIFY(f.window.openFirstStart().ok());
            QVERIFY(f.click("playButton"));
            QVERIFY(f.playUntil(0.6));
            QVERIFY(f.openRun(2));
            QVERIFY(f.choose("formulation_2", "projection"));
            QCOMPARE(f.status(1).settings.formulation, std::string("projection"));
            QVERIFY(f.playUntil(f.time() + 0.5));
            QVERIFY(f.enter("value_L", "1.2"));
            QVERIFY(f.playUntil(f.time() + 0.5));
            QVERIFY(f.click("playButton"));
            QTRY_VERIFY(!f.document.laboratory().clock().playing);
            QVERIFY(f.window.exports().csv(csv).ok());
            QTest::keyClick(&f.window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(f.acceptPath(study));
            QTRY_VERIFY(QFile::exists(study));
            for (const RunEntry& run : f.document.runs())
                names << run.name;
        }
        const auto answer = driftless::testing::ask({"study", study, "--out", out, "--no-figures"});
        QVERIFY2(answer.code == 0, answer.described().constData());
        const QByteArrayList window = linesOf(csv);
        QVERIFY(window.size() > 20);
        for (int k = 0; k < names.size(); ++k) {
            const QByteArrayList computed = linesOf(out + QStringLiteral("/runs/run-%1.csv").arg(k + 1));
            const QByteArray lead = names[k].toUtf8() + ',';
            QByteArrayList shown;
            for (const QByteArray& line : window)
                if (line.startsWith(lead))
                    shown << line.mid(lead.size());
            QVERIFY2(shown.size() > 5, lead.constData());
            QCOMPARE(window.first(), "run," + computed.first());
            // The window shows a range of time; the study has the whole run.
            const auto from = computed.indexOf(shown.first());
            QVERIFY(from > 0);
            for (int i = 0; i < shown.size(); ++i)
                QCOMPARE(computed.value(from + i), shown[i]);
        }
    }

    void aStudyOpensAsGhosts()
    {
        Fixture f;
        QVERIFY(f.document.files().open("st02-section-6").ok());
        QCOMPARE(f.document.runs().size(), std::size_t(5));
        QCOMPARE(f.document.runs()[4].name, QString("strangeness-free (29)"));
        QVERIFY(f.document.files().open("ms91-tables").ok()); // two cases: those of the first are shown, the rest is told
        QCOMPARE(f.document.runs().size(), std::size_t(4));
        QVERIFY(!f.document.messages().all().empty());
        QCOMPARE(f.document.messages().all().back().diagnostic.what, std::string("Part of the study is shown"));
    }
};

QTEST_MAIN(TestRecordedStudy)
#include "test_recorded_study.moc"
