// main() of a test that takes longer than Qt Test lets a function take. Application: QCoreApplication, or QApplication for
// widgets.
#pragma once

#include <QtTest>

#define DRIFTLESS_LONG_MAIN(Application, Test)                                                                                 \
    int main(int argc, char** argv)                                                                                            \
    {                                                                                                                          \
        qputenv("QTEST_FUNCTION_TIMEOUT", "7200000"); /* [ms], as ctest's own */                                               \
        Application app(argc, argv);                                                                                           \
        Test test;                                                                                                             \
        return QTest::qExec(&test, argc, argv);                                                                                \
    }
