// Records of lessons: nothing but a record is taken for one, and each step of the lesson is judged once.
#include "core/lesson/Completion.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    const auto found = lesson::verifyCompletion(text, "input.json", "what-is-a-dae");
    if (!found) {
        check(!found.error().what.empty(), "a refusal says what is wrong", text);
        return 0;
    }
    const auto lesson = lesson::openLesson("what-is-a-dae");
    check(lesson.ok() && found->steps.size() == lesson->steps.size(), "each step is judged once", text);
    for (const lesson::VerifiedStep& step : found->steps)
        check(step.right || !step.why.empty(), "what is not right has a reason", text);
    return 0;
}
