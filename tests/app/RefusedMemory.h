// The program with one allocation refused, or all from one on, at random places.
#pragma once

#include <QtTest>

#include <random>

#include "tests/app/Driver.h"

namespace driftless::testing {

/// at 0: nothing is refused, and the number of allocations stands in the messages.
inline Answer askWithRefusal(const QStringList& arguments, long at, bool onwards)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", DRIFTLESS_REFUSE_ALLOCATION);
    environment.insert("REFUSE_AT", QString::number(at));
    if (onwards)
        environment.insert("REFUSE_FOREVER", "1");
    process.setProcessEnvironment(environment);
    process.start(DRIFTLESS_EXECUTABLE, arguments);
    Answer answer;
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        answer.err = "did not end in time";
        return answer;
    }
    answer.finished = process.exitStatus() == QProcess::NormalExit;
    answer.code = process.exitCode();
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    return answer;
}

inline const QStringList kRefusedCommands[] = {
    {"analyze", "pendulum"},
    {"run", "pendulum", "--end", "0.2"},
    {"run", "slider-crank", "--formulation", "ggl", "--integrator", "radau-iia-5", "--step", "0.05", "--end", "0.1"},
    {"equations", "double-pendulum", "--formulation", "dummy-derivatives", "--format", "latex"},
    {"list", "models", "--json"},
    {"start", "four-bar"},
    {"tableau", "gauss-6"},
    {"study", "nosuch", "--out", "/nonexistent"}};

/// So many places for each command, each once and for ever: an answer or one line, never a signal and never a library's own
/// words.
inline void refuseAtRandomPlaces(int places, unsigned seed)
{
    std::mt19937_64 random(seed);
    for (const QStringList& command : kRefusedCommands) {
        const Answer counted = askWithRefusal(command, 0, false);
        QVERIFY2(counted.finished, counted.described().constData());
        const long all = counted.err.mid(counted.err.indexOf("allocations ") + 12).trimmed().toLong();
        QVERIFY2(all > 100, counted.described().constData());
        for (int k = 0; k < places; ++k)
            for (const bool onwards : {false, true}) {
                const long at = 1 + static_cast<long>(random() % static_cast<std::uint64_t>(all));
                const Answer answer = askWithRefusal(command, at, onwards);
                const QByteArray where = command.join(' ').toUtf8() + ", allocation "
                                         + QByteArray::number(static_cast<qlonglong>(at))
                                         + (onwards ? " and all after it\n" : "\n") + answer.described();
                QVERIFY2(answer.finished, where.constData());
                QVERIFY2(answer.code == 0 || answer.code == 1 || answer.code == 2, where.constData());
                QVERIFY2(!answer.err.contains("terminate called") && !answer.err.contains("bad_alloc")
                             && !answer.err.contains("mistake inside"),
                         where.constData());
                QVERIFY2(answer.code == 0 || answer.err.contains("driftless: ") || answer.out.contains("diagnostic"),
                         where.constData());
            }
    }
}

} // namespace driftless::testing
