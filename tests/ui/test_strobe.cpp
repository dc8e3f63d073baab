// Positions at equal times in one picture, and films: what a stage shows frame by frame, put together.
#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

#include <cmath>

#include "core/run/RunRequest.h"
#include "ui/scene/Stage.h"
#include "ui/scene/Strobe.h"
#include "ui/scene/VideoFile.h"

using namespace driftless;
using namespace driftless::scene;

namespace {

constexpr int kWidth = 240, kHeight = 180;

/// The pendulum (x, y with y up) at angles from the downward vertical [rad].
model::ModelState at(const model::CompiledSystem& system, double angle)
{
    model::ModelState state;
    state.resize(system.n(), system.w());
    state.q[0] = std::sin(angle);
    state.q[1] = -std::cos(angle);
    return state;
}

} // namespace

class TestStrobe : public QObject {
    Q_OBJECT
    std::shared_ptr<const model::CompiledSystem> system_;
    QTemporaryDir folder_;

private slots:
    void initTestCase()
    {
        auto opened = run::openSystem("pendulum");
        QVERIFY(opened.ok());
        system_ = *opened;
    }

    void timesAreEqual()
    {
        QCOMPARE(flashTimes(1, 3, 5), (std::vector<double>{1, 1.5, 2, 2.5, 3}));
        QCOMPARE(flashTimes(1, 3, 1), std::vector<double>{3});
    }

    void lastPositionIsOpaqueAndEarlierOnesAreFaint()
    {
        const std::vector<model::ModelState> states{at(*system_, -1.2), at(*system_, 0), at(*system_, 1.2)};
        auto stage = Stage::create(*system_, kWidth, kHeight, false);
        QVERIFY2(stage.ok(), stage.ok() ? "" : stage.error().text().c_str());
        std::vector<RunFrame> frames;
        for (const auto& state : states)
            frames.push_back(std::move(stage.value()->frameAt(state, {}).value()));
        stage.value()->fit(frames);
        Pixels empty;
        reduceByBox(stage.value()->finePicture(nullptr, 2), 2, empty);
        std::vector<Pixels> single;
        for (const RunFrame& frame : frames)
            single.push_back(stage.value()->picture(frame));
        const auto strobe = strobePicture(*system_, {}, states, kWidth, kHeight, false);
        QVERIFY(strobe.ok());
        QCOMPARE(strobe->width, kWidth);
        // Darkness against the background, summed where a body stands in its own picture: full for the last, less for those
        // before.
        const auto share = [&](std::size_t k) {
            double own = 0, there = 0;
            for (std::size_t i = 0; i < empty.argb.size(); ++i) {
                if (single[k].argb[i] == empty.argb[i])
                    continue;
                own += static_cast<double>((empty.argb[i] >> 16 & 255)) - static_cast<double>((single[k].argb[i] >> 16 & 255));
                there += static_cast<double>((empty.argb[i] >> 16 & 255)) - static_cast<double>((strobe->argb[i] >> 16 & 255));
            }
            return there / own;
        };
        QVERIFY2(std::abs(share(2) - 1) < 0.05, "edges are smoothed with three samples a side here and two there");
        QVERIFY(share(0) > 0.1 && share(0) < share(1) && share(1) < share(2));
    }

    void tooManyOrNoPositionsAreRefused()
    {
        QVERIFY(!strobePicture(*system_, {}, {}, kWidth, kHeight, false).ok());
        const std::vector<model::ModelState> many(kMostFlashes + 1, at(*system_, 0));
        QVERIFY(!strobePicture(*system_, {}, many, kWidth, kHeight, false).ok());
        QVERIFY(!strobePicture(*system_, {}, std::span(many).first(2), 3, 3, false).ok());
    }

    void unfinishedFilmLeavesNothing()
    {
        const std::string path = folder_.filePath("film.ogv").toStdString();
        {
            // Interrupted before its first picture.
            auto film = VideoFile::create(path, 32, 16, 25);
            QVERIFY(film.ok());
            QVERIFY(!film.value()->finish().ok());
        }
        QVERIFY(QDir(folder_.path()).isEmpty());
        Pixels grey{32, 16, std::vector<std::uint32_t>(32 * 16, 0xff808080u)};
        {
            auto film = VideoFile::create(path, 32, 16, 25);
            QVERIFY(film.ok());
            QVERIFY(film.value()->add(grey).ok());
            QVERIFY(!film.value()->add(Pixels{16, 16, std::vector<std::uint32_t>(256, 0)}).ok());
        }
        QVERIFY(QDir(folder_.path()).isEmpty());
        auto film = VideoFile::create(path, 32, 16, 25);
        QVERIFY(film.ok() && film.value()->add(grey).ok() && film.value()->finish().ok());
        QCOMPARE(QDir(folder_.path()).entryList(QDir::Files), QStringList("film.ogv"));
        QVERIFY(!VideoFile::create(path, 33, 16, 25).ok());
        QVERIFY(!VideoFile::create(folder_.filePath("no/film.ogv").toStdString(), 32, 16, 25).ok());
    }
};

QTEST_MAIN(TestStrobe)
#include "test_strobe.moc"
