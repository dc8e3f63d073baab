// Runs every stored input of every target once: fuzz_replay CORPUS [NAME]. What the fuzzers found stays mended, with any
// compiler. fuzz_replay CORPUS NAME SECONDS SEED goes on with inputs made from those; the one under way stands in
// ./fuzz-NAME-input.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "FuzzTargets.h" // made by CMake: declares fuzz_NAME of each target and lists them in kTargets
#include "tests/fuzz/Mutate.h"

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file())
            out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void give(const Target& target, const std::string& bytes)
{
    target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::vector<std::string> replay(const Target& target, const fs::path& folder)
{
    const auto begin = Clock::now();
    std::vector<std::string> inputs;
    for (const fs::path& path : filesIn(folder)) {
        std::ifstream in(path, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        std::fprintf(stderr, "%s\r", path.c_str()); // the last line names the input that ends the program
        give(target, inputs.back());
    }
    std::fprintf(stderr, "\33[2K");
    std::printf("%-12s %4zu inputs, %.2f s\n", target.name, inputs.size(), secondsSince(begin));
    return inputs;
}

void mutate(const Target& target, std::vector<std::string> inputs, const fs::path& dictionary, double seconds,
            std::uint64_t seed)
{
    driftless::fuzz::Mutator mutator(std::move(inputs), driftless::fuzz::wordsOf(dictionary), seed);
    const std::string kept = std::string("fuzz-") + target.name + "-input";
    const auto begin = Clock::now();
    std::uint64_t count = 0;
    double longest = 0;
    for (; secondsSince(begin) < seconds; ++count) {
        const std::string bytes = mutator.next();
        std::ofstream(kept, std::ios::binary) << bytes;
        const auto before = Clock::now();
        give(target, bytes);
        if (const double taken = secondsSince(before); taken > longest) {
            longest = taken;
            std::ofstream(kept + "-slowest", std::ios::binary) << bytes;
        }
    }
    std::error_code error;
    fs::remove(kept, error);
    std::printf("%-12s %llu inputs from seed %llu, the slowest took %.2f s\n", target.name,
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(seed), longest);
}

} // namespace

int main(int count, char** arguments)
{
    if (count < 2) {
        std::fprintf(stderr, "usage: fuzz_replay CORPUS [NAME [SECONDS SEED]]\n");
        return 2;
    }
    const fs::path corpus = arguments[1];
    for (const Target& target : kTargets) {
        if (count > 2 && std::string(arguments[2]) != target.name)
            continue;
        if (!fs::is_directory(corpus / target.name)) {
            std::fprintf(stderr, "no corpus in %s\n", (corpus / target.name).c_str());
            return 1;
        }
        auto inputs = replay(target, corpus / target.name);
        if (count > 4 && !inputs.empty())
            mutate(target, std::move(inputs), corpus.parent_path() / (std::string(target.name) + ".dict"),
                   std::stod(arguments[3]), std::stoull(arguments[4]));
    }
    return 0;
}
