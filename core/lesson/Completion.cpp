#include "core/lesson/Completion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/lesson/Judge.h"
#include "core/lesson/Proof.h"
#include "core/run/SessionCodec.h"
#include "core/study/Execute.h"
#include "core/study/Fingerprint.h"
#include "core/text/RegularFile.h"

namespace driftless::lesson {

namespace {

namespace codec = run::codec;
using Json = codec::Json;

constexpr int kFormat = 1;
constexpr int kDeepest = 8;   ///< brackets in each other; records of ours have three
constexpr double kMoment = 1; ///< [s] a bench is made and not run

Diagnostic noRecord(const std::string& file, std::string why)
{
    return {.what = "This is no record of a lesson",
            .where = file,
            .why = std::move(why),
            .remedy = "a file that \"Save the record\" wrote at the end of a lesson"};
}

/// The fingerprint of a lesson's text.
Result<std::string> versionOf(const Lesson& lesson)
{
    const auto text = readRegularFile(lesson.path, ReadLimits{}.maxBytes);
    if (!text)
        return text.error();
    return study::Fingerprint().add(*text).text();
}

std::string sealOf(Json record)
{
    record.erase("seal");
    return study::Fingerprint().add(record.dump()).text();
}

/// Parsing keeps account of open brackets by recursion.
bool tooDeep(const std::string& text)
{
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted && text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '{' || text[i] == '['))
            depth += 1;
        else if (!quoted && (text[i] == '}' || text[i] == ']'))
            depth -= 1;
        if (depth > kDeepest)
            return true;
    }
    return false;
}

Json jsonOf(const DoneStep& done)
{
    Json out{{"step", done.step}};
    if (done.option)
        out["option"] = *done.option;
    if (done.answer)
        out["answer"] = *done.answer;
    out["t"] = done.t;
    out["wrong"] = done.wrong;
    out["shown"] = done.shown;
    if (!done.session.empty())
        out["session"] = done.session;
    return out;
}

DoneStep doneStep(const Json& json)
{
    constexpr std::uint64_t kMost = 1'000'000;
    DoneStep out{.step = static_cast<int>(codec::count(json, "step", kMost)),
                 .option = {},
                 .answer = {},
                 .t = codec::number(json, "t"),
                 .wrong = static_cast<int>(codec::count(json, "wrong", kMost)),
                 .shown = codec::flag(json, "shown"),
                 .session = {}};
    if (json.contains("option"))
        out.option = static_cast<int>(codec::count(json, "option", kMost));
    if (json.contains("answer"))
        out.answer = codec::number(json, "answer");
    if (json.contains("session"))
        out.session = codec::text(json, "session");
    return out;
}

measure::LiveBench benchOf(const run::Laboratory& laboratory, const std::string& session)
{
    measure::LiveBench out{.laboratory = laboratory, .runs = {}, .parameters = {}, .reference = {}};
    const Json json = codec::parse(session);
    std::vector<run::RunId> left = laboratory.runs();
    const auto add = [&](run::RunId id) {
        out.runs.push_back({.id = id, .title = "Run " + std::to_string(out.runs.size() + 1)});
        std::erase(left, id);
    };
    if (const auto shown = json.find("presentation"); shown != json.end())
        for (const Json& run : codec::list(*shown, "runs")) {
            const run::RunId id{static_cast<int>(codec::count(run, "id", 1'000'000))};
            if (std::ranges::find(left, id) == left.end())
                continue;
            if (codec::flag(run, "reference"))
                out.reference = out.runs.size();
            add(id);
        }
    for (const run::RunId id : std::vector<run::RunId>(left))
        add(id);
    if (!out.runs.empty())
        out.parameters = laboratory.status(out.runs.front().id).parameters;
    return out;
}

/// The model of the step's bench, as it is shipped or lies beside the lesson.
Result<void> sameModel(const Lesson& lesson, std::size_t step, const run::Laboratory& laboratory)
{
    const study::Study bench = benchOf(lesson, step, kMoment);
    const auto executor = study::Executor::create(bench, "record");
    if (!executor)
        return executor.error();
    if ((*executor)->system(0).model().text == laboratory.system().model().text)
        return {};
    return Diagnostic{.what = "the session is of another model than " + lesson.setupOf(step).model};
}

void verifyMeasured(const Lesson& lesson, std::size_t place, const std::string& session, VerifiedStep& out)
{
    const Question& question = *lesson.steps[place].question;
    auto opened = run::Laboratory::open(session, "step " + std::to_string(place + 1), 1);
    if (!opened) {
        out.why = "its session cannot be repeated: " + opened.error().text();
        return;
    }
    const run::Laboratory& laboratory = **opened;
    if (const auto same = sameModel(lesson, place, laboratory); !same) {
        out.why = same.error().what;
        return;
    }
    const measure::LiveBench bench = benchOf(laboratory, session);
    Judgement judgement;
    if (question.kind == Question::Kind::Number) {
        if (const auto measured = rightAnswer(bench, question, out.done.t))
            out.measured = *measured;
        judgement = judgeNumber(bench, question, *out.done.answer, out.done.t);
    } else {
        judgement = judgeAction(bench, question, out.done.t);
    }
    out.right = judgement.right;
    if (!judgement.right)
        out.why = judgement.problem.empty() ? "the repeated session does not show it" : judgement.problem;
}

void verifyStep(const Lesson& lesson, std::size_t place, const std::string& session, VerifiedStep& out)
{
    const auto& question = lesson.steps[place].question;
    if (!question) {
        out.right = true; // it asks for nothing
        return;
    }
    switch (question->kind) {
    case Question::Kind::Choice: {
        const int option = out.done.option.value_or(0);
        out.right = option >= 1 && static_cast<std::size_t>(option) <= question->options.size()
                    && question->options[static_cast<std::size_t>(option - 1)].right;
        out.why = out.right ? "" : "the option is not the right one";
        return;
    }
    case Question::Kind::Number:
        if (!out.done.answer) {
            out.why = "it has no answer";
            return;
        }
        break;
    case Question::Kind::Action:
        break;
    }
    if (session.empty())
        out.why = "it has no session";
    else
        verifyMeasured(lesson, place, session, out);
}

Result<Lesson> lessonOf(const Json& record, const std::string& file, const std::string& pathOrId)
{
    const std::string id = codec::text(record, "lesson");
    auto lesson = openLesson(pathOrId.empty() ? id : pathOrId);
    if (!lesson)
        return lesson;
    if (lesson->id != id)
        return Diagnostic{.what = "The record is of another lesson",
                          .where = file,
                          .why = "it is of \"" + id.substr(0, 80) + "\", and " + lesson->id + " was asked for",
                          .remedy = "name the lesson that it is of"};
    const auto version = versionOf(*lesson);
    if (!version)
        return version.error();
    if (*version != codec::text(record, "version"))
        return Diagnostic{.what = "The record is of another version of the lesson",
                          .where = file,
                          .why = "the text of the lesson " + lesson->id + " has changed since it was done with "
                                 + codec::text(record, "program").substr(0, 80),
                          .remedy = "verify it with the program and the lesson that it was made with, or do the lesson anew"};
    return lesson;
}

Verification verified(const Lesson& lesson, const Json& record)
{
    Verification out{.lesson = lesson.id, .title = lesson.title, .program = codec::text(record, "program"), .steps = {}};
    std::map<int, DoneStep> done;
    for (const Json& step : codec::list(record, "steps")) {
        DoneStep one = doneStep(step);
        done[one.step] = std::move(one);
    }
    for (std::size_t place = 0; place < lesson.steps.size(); ++place) {
        VerifiedStep step;
        const auto found = done.find(static_cast<int>(place + 1));
        step.done.step = static_cast<int>(place + 1);
        if (found == done.end()) {
            step.why = "it was not done";
        } else {
            std::string session = std::move(found->second.session);
            found->second.session.clear();
            step.done = found->second;
            verifyStep(lesson, place, session, step);
        }
        out.steps.push_back(std::move(step));
    }
    return out;
}

Result<Verification> verifyParsed(const Json& record, const std::string& file, const std::string& pathOrId)
{
    if (!record.is_object() || codec::number(record, "driftless_lesson_record") != kFormat)
        return noRecord(file, "this program reads records of format 1");
    if (codec::text(record, "seal") != sealOf(record))
        return Diagnostic{.what = "The record was changed after it was written",
                          .where = file,
                          .why = "its seal does not fit what stands in it",
                          .remedy = "ask for the file as the program saved it"};
    const auto lesson = lessonOf(record, file, pathOrId);
    if (!lesson)
        return lesson.error();
    return verified(*lesson, record);
}

} // namespace

bool Verification::complete() const { return std::ranges::all_of(steps, &VerifiedStep::right); }

Result<std::string> completionText(const Lesson& lesson, const std::string& program, const std::vector<DoneStep>& steps)
{
    const auto version = versionOf(lesson);
    if (!version)
        return version.error();
    Json record{{"driftless_lesson_record", kFormat},
                {"program", program},
                {"lesson", lesson.id},
                {"title", lesson.title},
                {"version", *version},
                {"steps", Json::array()}};
    for (const DoneStep& done : steps)
        record["steps"].push_back(jsonOf(done));
    record["seal"] = sealOf(record);
    return record.dump(2) + "\n";
}

std::vector<DoneStep> recordedSteps(const std::string& text, const Lesson& lesson)
{
    const auto version = versionOf(lesson);
    if (!version || tooDeep(text))
        return {};
    std::vector<DoneStep> out;
    try {
        const Json record = codec::parse(text);
        if (!record.is_object() || codec::text(record, "seal") != sealOf(record) || codec::text(record, "lesson") != lesson.id
            || codec::text(record, "version") != *version)
            return {};
        for (const Json& step : codec::list(record, "steps"))
            out.push_back(doneStep(step));
    } catch (const std::exception&) {
        return {};
    }
    return out;
}

Result<Verification> verifyCompletion(const std::string& text, const std::string& file, const std::string& pathOrId)
{
    if (tooDeep(text))
        return noRecord(file, "its brackets are nested too deeply");
    try {
        return verifyParsed(codec::parse(text), file, pathOrId);
    } catch (const std::exception& broken) { // what the reader of JSON says
        return noRecord(file, broken.what());
    }
}

} // namespace driftless::lesson
