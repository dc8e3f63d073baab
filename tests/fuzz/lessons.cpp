// Texts of lessons: every step has a bench, options keep all their places in any order, claims become studies or are refused.
#include <algorithm>

#include "core/lesson/Proof.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    const auto read = lesson::readLesson(text, "input.toml");
    if (!read) {
        check(!read.error().what.empty(), "a refusal says what is wrong", text);
        return 0;
    }
    const lesson::Lesson& l = *read;
    check(!l.steps.empty(), "a lesson has steps", text);
    Drawn drawn(text);
    for (std::size_t k = 0; k < l.steps.size(); ++k) {
        const lesson::Setup& bench = l.setupOf(k);
        check(!bench.model.empty() && !bench.runs.empty() && bench.runs.size() <= 8, "every step has a bench", text);
        auto order = lesson::optionOrder(l, k, drawn.next());
        const std::size_t options = l.steps[k].question ? l.steps[k].question->options.size() : 0;
        check(order.size() == options, "options keep their number", text);
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size(); ++i)
            check(order[i] == i, "options keep all their places", text);
        std::size_t claims = 0;
        for (const study::Study& proof : lesson::proofsOf(l, k))
            claims += proof.claims.size();
        check(claims == l.steps[k].claims.size(), "every claim is proved once", text);
    }
    for (const Diagnostic& found : lesson::reviewLesson(l))
        check(!found.what.empty(), "a review says what to mend", text);
    return 0;
}
