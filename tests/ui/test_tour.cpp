// label: long
// The tour of the README, each step as a newcomer does it: one story, whose steps stand on those before them.
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

class TestTour : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<Fixture> f_;

    double rodOfRun2() const
    {
        const auto recording = f_->document.laboratory().recording(f_->id(1));
        double q[2], v[2], lambda[1];
        recording.stateAt(f_->time(), q, v, lambda);
        return std::hypot(q[0], q[1]);
    }

    void start()
    {
        f_ = std::make_unique<Fixture>();
        QVERIFY(f_->window.openFirstStart().ok());
        QCOMPARE(f_->document.runs().size(), std::size_t(2));
        QVERIFY(f_->window.isVisible());
    }

    void play()
    {
        QVERIFY(f_->click("playButton"));
        QVERIFY(f_->playUntil(0.5));
    }

    void theRodShrinksAndTheQuestionComes()
    {
        QVERIFY(f_->choose("speedCombo", QStringLiteral("10×")));
        QVERIFY(f_->playUntil(MainWindow::kQuestionTime));
        QTRY_VERIFY(!f_->document.laboratory().clock().playing);
        QVERIFY2(rodOfRun2() < 0.95, "visibly shorter");
        QVERIFY(f_->find<QWidget>("messageCard")->isVisible());
        QVERIFY(f_->value("messageTitle").contains("rod"));
    }

    void switchToProjection()
    {
        QVERIFY(f_->click("messageAction"));
        QCOMPARE(f_->status(1).settings.formulation, std::string("projection"));
        QVERIFY(f_->document.laboratory().clock().playing);
        const double t = f_->time();
        QVERIFY(f_->playUntil(t + 2));
        // rk4 at h = 0.2 is far from exact, but after each step the rod has its length again; between two steps the
        // curve through them is a cubic, off by at most h^4 max|q''''| / 384 with |q''''| below 100 here.
        QVERIFY(std::abs(rodOfRun2() - 1) < 1e-3);
    }

    void pinTheOtherPivot()
    {
        QPushButton* other = nullptr;
        for (auto* button : f_->find<QWidget>("pivotPanel")->findChildren<QPushButton*>())
            if (!button->isChecked())
                other = button;
        QVERIFY(other);
        QTest::mouseClick(other, Qt::LeftButton);
        QTest::qWait(20);
        QVERIFY(!f_->find<QAbstractButton>("pivotAutomatic")->isChecked());
        QVERIFY(f_->click("pivotAutomatic"));
        QVERIFY(f_->find<QAbstractButton>("pivotAutomatic")->isChecked());
    }

    void changeTheLength()
    {
        QVERIFY(f_->enter("value_L", "1.3"));
        const double t = f_->time();
        QVERIFY(f_->playUntil(t + 1));
        QVERIFY(std::abs(rodOfRun2() - 1.3) < 2e-3);
    }

    void exportTheFigure()
    {
        const QString path = folder_.filePath("tour.svg");
        QVERIFY(f_->click("exportButton"));
        QVERIFY(f_->savePicture(path));
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(text.contains("projection") && text.contains("dummy-derivatives"));
        f_.reset();
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void tourIsAsTheReadmeTellsIt()
    {
        using Step = void (TestTour::*)();
        const std::pair<const char*, Step> steps[] = {{"start", &TestTour::start},
                                                      {"play", &TestTour::play},
                                                      {"the rod shrinks", &TestTour::theRodShrinksAndTheQuestionComes},
                                                      {"projection", &TestTour::switchToProjection},
                                                      {"pin", &TestTour::pinTheOtherPivot},
                                                      {"length", &TestTour::changeTheLength},
                                                      {"figure", &TestTour::exportTheFigure}};
        for (const auto& [name, step] : steps) {
            (this->*step)();
            if (QTest::currentTestFailed()) {
                qWarning("The tour ends at the step \"%s\".", name);
                f_.reset();
                return;
            }
        }
    }

    void theQuestionGoesWhenTheListAnswersIt()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.laboratory().waitUntil(MainWindow::kQuestionTime);
        f.window.showAt(MainWindow::kQuestionTime);
        auto* card = f.find<QWidget>("messageCard");
        QVERIFY(card->isVisible());
        QVERIFY(f.document.control().setFormulation(f.document.runs()[1].key, "projection"));
        QTRY_VERIFY(!card->isVisible());
    }
};

QTEST_MAIN(TestTour)
#include "test_tour.moc"
