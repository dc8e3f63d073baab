// label: long
// Every command that writes, on every machine of Environments.h.
#include <QtTest>

#include "tests/app/Environments.h"
#include "tests/support/LongMain.h"

using namespace driftless::testing;

class TestEnvironmentWalk : public QObject {
    Q_OBJECT

private slots:
    void machinesDoNotMatter_data()
    {
        QTest::addColumn<int>("index");
        const auto commands = portables();
        for (std::size_t i = 0; i < commands.size(); ++i)
            QTest::newRow(commands[i].name) << static_cast<int>(i);
    }
    void machinesDoNotMatter()
    {
        QFETCH(int, index);
        const Portable command = portables()[static_cast<std::size_t>(index)];
        if (command.draws && !drawsFiles())
            QSKIP("this build draws nothing");
        QTemporaryDir folder;
        Machine machine;
        const auto plain = machine.run(command, {});
        QVERIFY2(plain.answer.code == 0, plain.answer.described());
        int wrongs = 0, comma = 0;
        for (const Environment& place : environments(folder.path())) {
            if (const QByteArray wrong = Machine::judged(command, place, plain, machine.run(command, place.set));
                !wrong.isEmpty() && ++wrongs <= 5)
                qWarning("%s", wrong.constData());
            comma += qstrcmp(place.name, "a decimal comma") == 0 ? 1 : 0;
        }
        QCOMPARE(wrongs, 0);
        if (comma == 0)
            QSKIP("there is no localedef to make a locale with a decimal comma");
    }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestEnvironmentWalk)
#include "test_environment_walk.moc"
