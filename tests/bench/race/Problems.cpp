#include "tests/bench/race/Problems.h"

namespace driftless::bench {
namespace {

const std::vector<Entry> kExplicit{{"dormand-prince", "index-1"},
                                   {"dop853", "index-1"},
                                   {"odex", "index-1"},
                                   {"adams", "index-1"},
                                   {"half-explicit-5", "index-2"}};
const std::vector<Entry> kImplicit{
    {"radau", "ggl"},       {"radau", "index-3"}, {"radau", "index-1"},    {"radau-9", "ggl"},      {"radau-9", "index-3"},
    {"radau-9", "index-1"}, {"radau-13", "ggl"},  {"radau-13", "index-3"}, {"radau-13", "index-1"}, {"bdf", "ggl"},
    {"bdf", "index-1"},     {"ida", "ggl"},       {"ida", "index-1"}};

std::vector<Entry> together(std::vector<Entry> all, const std::vector<Entry>& more)
{
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<Entry> onDummies()
{
    std::vector<Entry> out;
    for (const char* method : {"dormand-prince", "radau", "radau-9", "radau-13", "bdf", "ida"})
        out.push_back({method, "dummy-derivatives"});
    return out;
}

/// References: elliptic functions for the pendulum, extrapolation in quadruple precision for the others (two tolerances agree
/// to 1e-18); published digits agree as far as they go.
std::vector<Problem> allProblems()
{
    const std::vector<Entry> all = together(kExplicit, kImplicit);
    return {
        {.title = "Pendulum, case 1",
         .model = "pendulum",
         .straight = "pendulum-case-1",
         .end = 10,
         .positions = {-8.4150969025172853452820636e-02, -9.9645301666065741254266945e-01},
         .changed = {{"bob.x", 0.099833416646828152}, {"bob.y", -0.99500416527802577}, {"bob.x'", 0}, {"bob.y'", 0}},
         .dummies = {1},
         .ours = together(all, onDummies()),
         .ida = {"dummy-derivatives"}},
        {.title = "Pendulum, case 2",
         .model = "pendulum",
         .straight = "pendulum",
         .end = 10,
         .positions = {-4.8363010530359630827236004e-01, -8.7527248399800181654806673e-01},
         .changed = {},
         .dummies = {},
         .ours = all,
         .ida = {"ggl", "index-1"}},
        {.title = "Slider-crank",
         .model = "lagrangian-slider-crank",
         .straight = "lagrangian-slider-crank",
         .end = 10,
         .positions = {1.27567584865023940, 1.02357855897983950, -4.98813049182498749e-01},
         .changed = {},
         .dummies = {},
         .ours = all,
         .ida = {"ggl", "index-1"}},
        {.title = "Andrews",
         .model = "lagrangian-andrews",
         .straight = "lagrangian-andrews",
         .end = 0.03,
         .positions = {1.58107711951537070971e+01, -1.57563710584118394697e+01, 4.08222401196458048583e-02,
                       -5.34730116342079593770e-01, 5.24409965879954069372e-01, 5.34730116342079593770e-01,
                       1.04808074104193787307e+00},
         .changed = {},
         .dummies = {},
         .ours = all,
         .ida = {"ggl", "index-1"}},
        {.title = "Car axis",
         .model = "lagrangian-car-axis",
         .straight = "lagrangian-car-axis",
         .end = 3,
         .positions = {4.934557842752409213153e-02, 4.969894602300081067629e-01, 1.041742524885426115195e+00,
                       3.739110272653658193579e-01},
         .changed = {},
         .dummies = {},
         .ours = all,
         .ida = {"ggl", "index-1"}},
        {.title = "Stiff spring",
         .model = "stiff-pendulum",
         .straight = "stiff-pendulum",
         .end = 2,
         .positions = {},
         .changed = {},
         .dummies = {},
         .ours = all,
         .ida = {"ggl", "index-1"}},
        {.title = "Five bars",
         .model = "five-bars",
         .straight = "five-bars",
         .end = 10,
         .positions = {},
         .changed = {},
         .dummies = {},
         .ours = all,
         .ida = {"ggl", "index-1"}},
        {.title = "Closed chain of 100",
         .model = "hung-chain",
         .straight = "hung-chain",
         .end = 0.5,
         .positions = {},
         .changed = {},
         .dummies = {},
         .ours = together(kExplicit, {{"radau-9", "ggl"}, {"bdf", "ggl"}, {"ida", "ggl"}}),
         .ida = {},
         .fewUnknowns = false},
    };
}

} // namespace

const std::vector<Problem>& problems()
{
    static const std::vector<Problem> all = allProblems();
    return all;
}

} // namespace driftless::bench
