// driftless_bench [--interpreted] [Google Benchmark's options], or driftless_bench [--interpreted] --race [FILE [PROBLEM]]: the
// tables of the race on the standard output, all of its points as JSON into FILE; PROBLEM: part of a title, where not all are
// wanted. driftless_bench --operations: what a tape costs against the same residual written by hand. --same-method: the same
// methods beside the codes of Hairer and Wanner, where they were there when it was built. --defaults [PART]: what
// each shipped model costs as its file asks for it, and the fastest way; --pairs: all ways. --interpreted:
// without machine code.
#include <cstdio>
#include <cstring>
#include <fstream>

#include <unistd.h>

#include <benchmark/benchmark.h>

#include "core/expr/Tape.h"
#include "tests/bench/defaults/Defaults.h"
#include "tests/bench/operations/Operations.h"
#include "tests/bench/race/Race.h"
#include "tests/bench/race/SameMethod.h"

namespace {

/// On the standard output alone: what the codes in Fortran have to say meanwhile is sent to the standard error.
template <class Make>
void printPage(const Make& make)
{
    std::FILE* const page = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::fputs(make().c_str(), page);
    std::fclose(page);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--interpreted") == 0) {
        driftless::expr::Tape::preferNative(false);
        argv[1] = argv[0];
        ++argv;
        --argc;
    }
    if (argc > 1 && std::strcmp(argv[1], "--race") == 0) {
        std::string json;
        printPage([&] { return driftless::bench::race(argc > 3 ? argv[3] : "", json); });
        if (argc > 2)
            std::ofstream(argv[2]) << json;
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--same-method") == 0) {
        printPage([&] { return driftless::bench::sameMethod(argc > 2 ? argv[2] : ""); });
        return 0;
    }
    if (argc > 1 && (std::strcmp(argv[1], "--defaults") == 0 || std::strcmp(argv[1], "--pairs") == 0)) {
        const bool all = std::strcmp(argv[1], "--pairs") == 0;
        std::fputs(driftless::bench::defaultsTable(argc > 2 ? argv[2] : "", all).c_str(), stdout);
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--operations") == 0) {
        std::fputs(driftless::bench::operationTable().c_str(), stdout);
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
