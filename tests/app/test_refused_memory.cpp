// A slice of what test_refused_memory_walk.cpp does: memory that is refused ends in a message.
#include "tests/app/RefusedMemory.h"

#include <sys/resource.h>

class TestRefusedMemory : public QObject {
    Q_OBJECT
private slots:
    void refusedAllocationsEndInAMessage() { driftless::testing::refuseAtRandomPlaces(3, 41); }

    /// The system refuses what is beyond a limit, as it does where a machine is small.
    void aLimitOfTheSystem()
    {
        using namespace driftless::testing;
        for (const rlim_t most : {48u << 20, 96u << 20}) {
            QProcess process;
            process.setChildProcessModifier([most] {
                const rlimit limit{most, most};
                ::setrlimit(RLIMIT_DATA, &limit);
            });
            process.start(DRIFTLESS_EXECUTABLE, {"run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step", "1e-5", "--end", "8", "--memory", "1024"});
            QVERIFY(process.waitForFinished(120'000));
            const QByteArray said = process.readAllStandardError();
            QVERIFY2(process.exitStatus() == QProcess::NormalExit, said.constData());
            QVERIFY2(process.exitCode() == 0 || said.contains("driftless: "), said.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestRefusedMemory)
#include "test_refused_memory.moc"
