// The runs of a study beside each other in the window: their labels, in full or with dots, and those that have no place.
#include <QScrollArea>
#include <QTemporaryDir>
#include <QtTest>

#include "core/text/WholeFile.h"
#include "tests/support/Draw.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Workspaces.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

class TestStudyRuns : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    /// A label is shown as the file has it, or it ends in dots; numbers are never cut, and nothing pushes the column wider.
    void longLabelsAreToldInFull()
    {
        const std::uint64_t seed = driftless::test::seedOr(46);
        driftless::test::Draw draw(seed);
        QString text = "title = \"t\"\n[default]\nmodel = \"pendulum\"\nend = 1\n";
        QStringList labels;
        for (int i = 0; i < 3; ++i) {
            labels << QStringLiteral("a form with %1 long words, h = 1/%2")
                          .arg(QStringLiteral("rather ").repeated(draw.upTo(1, 12)))
                          .arg(draw.upTo(100, 99999));
            text += QStringLiteral("[[run]]\nname = \"r%1\"\nlabel = \"%2\"\n").arg(i).arg(labels.back());
        }
        const QString path = folder_.filePath("long.toml");
        QVERIFY(writeWholeFile(path.toStdString(), text.toStdString()).ok());
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
            Fixture f(size);
            QVERIFY(f.document.opener().openStudy(path).ok());
            for (const Workspace workspace : {Workspace::Watch, Workspace::Study, Workspace::Methods}) {
                f.window.setWorkspace(workspace);
                for (std::size_t k = 0; k < f.document.runs().size(); ++k) {
                    const QString& label = labels[static_cast<qsizetype>(k)];
                    QCOMPARE(f.document.runs()[k].name, label);
                    f.document.bench().select(f.document.runs()[k].key);
                    QTest::qWait(50);
                    const auto* column = f.find<QScrollArea>("leftColumn");
                    QVERIFY2(column->widget()->minimumSizeHint().width() <= column->viewport()->width(),
                             qPrintable(QStringLiteral("%1 in %2, seed %3").arg(label).arg(size.width()).arg(seed)));
                    QCOMPARE(f.find<QLabel>("pivotTitle")->toolTip(), "Pivot of " + label);
                    QVERIFY(f.find<QWidget>(QStringLiteral("row_%1").arg(k + 1))->toolTip().startsWith(label + ": "));
                    QVERIFY(f.find<QLabel>("keepsLabel")->toolTip().startsWith(label + ": "));
                }
            }
        }
    }

    /// What a study has more of than the window shows is told for what it is.
    void runsBeyondTheFirstEightAreNamed()
    {
        driftless::test::Draw draw(driftless::test::seedOr(46));
        const int same = draw.upTo(9, 30), others = draw.upTo(1, 4);
        QString text = "title = \"t\"\n[default]\nmodel = \"pendulum\"\nend = 1\n";
        for (int i = 1; i <= same + others; ++i)
            text += QStringLiteral("[[run]]\nname = \"r%1\"\nlabel = \"label %1\"\n%2")
                        .arg(i)
                        .arg(i > same ? "model = \"double-pendulum\"\n" : "");
        const QString path = folder_.filePath("many.toml");
        QVERIFY(writeWholeFile(path.toStdString(), text.toStdString()).ok());
        Document document;
        QString left;
        QVERIFY(document.opener().openStudy(path, &left).ok());
        QCOMPARE(document.runs().size(), std::size_t{8});
        QVERIFY2(
            left.contains(QStringLiteral("%1 run(s) beyond the first 8 (label 9").arg(same - 8))
                && left.contains(QStringLiteral("%1 run(s) from other starts or models (label %2").arg(others).arg(same + 1)),
            qPrintable(left));
        QVERIFY(document.opener().openStudy("work-precision", &left).ok());
        QVERIFY2(left.contains("beyond the first 8") && !left.contains("other starts"), qPrintable(left));
    }
};

QTEST_MAIN(TestStudyRuns)
#include "test_study_runs.moc"
