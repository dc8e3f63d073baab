#include "ui/document/StartJudge.h"

#include <algorithm>
#include <cctype>

#include "core/system/DependentRows.h"
#include "ui/document/BenchReadings.h"

namespace driftless::ui {

namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether a sentence names it: "pin1" in "the constraint pin1.x".
bool speaksOf(const std::string& sentence, const std::string& name)
{
    for (std::size_t at = sentence.find(name); !name.empty() && at != std::string::npos; at = sentence.find(name, at + 1)) {
        const bool begins = at == 0 || !isWordCharacter(sentence[at - 1]);
        const std::size_t end = at + name.size();
        if (begins && (end == sentence.size() || !isWordCharacter(sentence[end])))
            return true;
    }
    return false;
}

bool speaksOf(const Diagnostic& problem, const std::string& name)
{
    return speaksOf(problem.what, name) || speaksOf(problem.where, name) || speaksOf(problem.why, name);
}

/// Of a table that stands for many, each.
int bodiesOf(const model::ConstrainedSystem& system)
{
    std::set<std::string> bodies;
    for (const auto& c : system.coordinates)
        if (!c.body.empty())
            bodies.insert(c.body);
    return static_cast<int>(bodies.size());
}

/// Of the equations of motion as they stand.
int indexOf(const model::CompiledSystem& system)
{
    if (system.holonomic() > 0)
        return 3;
    if (system.m() > 0)
        return 2;
    return system.efforts() > 0 ? 1 : 0;
}

/// What the selected run began with.
void readFirstState(const OpenBench& open, model::ModelState& state)
{
    const RunEntry* run = open.find(open.selected());
    if (!run)
        return;
    const auto recording = open.laboratory().recording(run->id);
    if (!recording.empty())
        recording.stateAt(recording.firstTime(), state.q.data(), state.v.data(), state.lambda.data());
}

void listRedundant(const model::ConstrainedSystem& system, const consistency::Diagnosis& diagnosis, EditStatus& status)
{
    const auto holder = [](const auto& constraint) { return constraint.joint.empty() ? constraint.name : constraint.joint; };
    for (const auto& dependent : system.dependent) { // set aside when the text was read: every form can do without
        status.redundant.push_back(model::sentence(dependent));
        status.repeated.insert(holder(dependent.constraint));
    }
    for (const auto& redundancy : diagnosis.redundant) {
        status.redundant.push_back(redundancy.text);
        status.repeated.insert(holder(system.constraints[static_cast<std::size_t>(redundancy.constraint)]));
    }
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& all)
{
    std::string out;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (k > 0)
            out += k + 1 == all.size() ? " and " : ", ";
        out += all[k];
    }
    return out;
}

/// The sentence of a conflict between joints: those to blame, and the others that it names.
void sayWhich(const std::vector<std::string>& blamed, const std::vector<std::string>& others, Diagnostic& problem)
{
    problem.what = others.empty() ? listed(blamed) + " cannot be met together"
                                  : listed(blamed) + " cannot be met together with " + listed(others);
    if (blamed.size() == 1)
        problem.remedy = "another place or length of " + blamed.front() + ", or start values nearer to where the parts meet";
    problem.position = {};
}

} // namespace

EditStatus StartJudge::judge(const OpenBench& open, const model::ModelText& text, model::ModelState& state)
{
    EditStatus status;
    const auto& compiled = open.compiled();
    const auto& system = open.bench().system();
    status.bodies = bodiesOf(system);
    if (compiled.n() == 0 || compiled.n() > kLargestJudged) {
        status.known = compiled.n() == 0;
        readFirstState(open, state);
        return status;
    }
    const auto diagnosis = diagnoseStart(open, open.startSettings());
    if (!diagnosis) {
        status.problem = diagnosis.error();
        return status;
    }
    status.known = true;
    status.freedom = diagnosis->positionFreedom;
    status.velocityFreedom = diagnosis->velocityFreedom;
    status.index = indexOf(compiled);
    listRedundant(system, *diagnosis, status);
    status.problem = diagnosis->conflict;
    if (!diagnosis->conflict)
        state = diagnosis->after;
    if (!status.problem && open.startProblem() && status.bodies > 0) {
        status.problem = *open.startProblem();
        status.defects = status.repeated;
    }
    nameDefects(text, status);
    return status;
}

void StartJudge::nameDefects(const model::ModelText& text, EditStatus& status)
{
    std::map<std::string, std::string> tables;
    std::vector<std::string> named, changed;
    for (const auto& place : text.places()) {
        if (place.kind != "joint")
            continue;
        const auto span = text.span(place.kind, place.number);
        std::string& table = tables[place.name] = text.text().substr(span.begin, span.end - span.begin);
        if (!status.problem || !speaksOf(*status.problem, place.name) || (!named.empty() && named.back() == place.name))
            continue;
        named.push_back(place.name);
        if (const auto before = sound_.find(place.name); before == sound_.end() || before->second != table)
            changed.push_back(place.name);
    }
    if (!status.problem) {
        sound_ = std::move(tables);
        return;
    }
    if (named.empty())
        return;
    const std::vector<std::string> blamed = changed.empty() ? named : changed;
    status.defects.insert(blamed.begin(), blamed.end());
    if (named.size() < 2)
        return;
    std::erase_if(named, [&](const std::string& name) { return status.defects.contains(name); });
    sayWhich(blamed, named, *status.problem);
}

} // namespace driftless::ui
