// A slice of what test_refused_memory_walk.cpp does: memory that is refused ends in a message.
#include "tests/app/RefusedMemory.h"

#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>

#include "app/LastWords.cpp" // its handlers act on a whole process: a child of this one

namespace {

struct Ending {
    bool leaves = false; ///< with the exit code of bad input, not by a signal
    QByteArray said;
};

/// How a process ends that does this and lets no exception pass.
template <class Act>
Ending endOf(Act act)
{
    int ends[2] = {};
    if (::pipe(ends) != 0)
        qFatal("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::dup2(ends[1], STDERR_FILENO);
        driftless::app::prepareLastWords();
        [&]() noexcept { act(); }();
        ::_exit(0);
    }
    ::close(ends[1]);
    Ending out;
    char piece[256];
    for (ssize_t count = 0; (count = ::read(ends[0], piece, sizeof piece)) > 0;)
        out.said.append(piece, static_cast<qsizetype>(count));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    out.leaves = WIFEXITED(status) && WEXITSTATUS(status) == driftless::app::kExitBadInput;
    return out;
}

void beRefused()
{
    volatile std::size_t much = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / 2;
    char* volatile piece = new char[much]; // volatile: a piece that nobody uses need not be asked for
    delete[] piece;
}

void beRefusedAndGoOn()
{
    try {
        beRefused();
    } catch (const std::bad_alloc&) {
    }
}

} // namespace

class TestRefusedMemory : public QObject {
    Q_OBJECT
private slots:
    void refusedAllocationsEndInAMessage() { driftless::testing::refuseAtRandomPlaces(3, 41); }

    void theLastWordsAreThoseOfTheLastMistake()
    {
        const Ending refused = endOf([] { beRefused(); });
        QVERIFY2(refused.leaves && refused.said.contains("not enough memory"), refused.said.constData());
        const Ending thread =
            endOf([] { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); });
        QVERIFY2(thread.leaves && thread.said.contains("not enough memory"), thread.said.constData());
        const Ending onItsWay = endOf([] {
            try {
                const std::thread left([] { ::pause(); }); // destroyed before anybody catches what is on its way
                beRefused();
            } catch (const std::bad_alloc&) {
            }
        });
        QVERIFY2(onItsWay.leaves && onItsWay.said.contains("not enough memory"), onItsWay.said.constData());
        const Ending later = endOf([] {
            beRefusedAndGoOn(); // of long ago: what comes then is another mistake
            throw std::logic_error("another");
        });
        QVERIFY2(!later.leaves && later.said.contains("mistake inside"), later.said.constData());
    }

    /// The system refuses what is beyond a limit, as it does where a machine is small.
    void aLimitOfTheSystem()
    {
        using namespace driftless::testing;
        // 800,000 rows of 15 numbers are 96 MB: a third and two thirds of that are refused in the middle of the run, ten times
        // as much is plenty.
        for (const rlim_t most : {32u << 20, 64u << 20, 1024u << 20}) {
            QProcess process;
            process.setChildProcessModifier([most] {
                const rlimit limit{most, most};
                ::setrlimit(RLIMIT_DATA, &limit);
            });
            process.start(DRIFTLESS_EXECUTABLE, {"run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step",
                                                 "1e-5", "--end", "8", "--memory", "1024"});
            QVERIFY(process.waitForFinished(120'000));
            const QByteArray said = process.readAllStandardError();
            QVERIFY2(process.exitStatus() == QProcess::NormalExit, said.constData());
            const bool enough = most > 512u << 20;
            QVERIFY2(process.exitCode() == (enough ? 0 : 2), said.constData());
            QVERIFY2(enough ? said.isEmpty() : said.contains("driftless: not enough memory"), said.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestRefusedMemory)
#include "test_refused_memory.moc"
