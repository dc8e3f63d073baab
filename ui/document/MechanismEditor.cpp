#include "ui/document/MechanismEditor.h"

#include <algorithm>
#include <cmath>

#include "core/consistency/Doctor.h"
#include "core/model/SetAside.h"
#include "core/reduction/Reduced.h"
#include "ui/document/Document.h"
#include "ui/document/MechanismPull.h"
#include "ui/document/TextCheck.h"

namespace driftless::ui {

using model::ModelText;

namespace {

constexpr double kMoved = 1e-9; ///< [m], [rad] below this a start value stays as it is written

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

bool chartStates(const ModelText& text, const char* key)
{
    const model::TomlEntry* chart = text.root().find("chart");
    const model::TomlEntry* coordinates = chart ? chart->value.find("coordinates") : nullptr;
    return coordinates
           && std::any_of(coordinates->value.items.begin(), coordinates->value.items.end(),
                          [key](const model::TomlValue& c) { return c.kind == model::TomlKind::Table && c.find(key); });
}

} // namespace

MechanismEditor::MechanismEditor(Document& document, QObject* parent) : QObject(parent), document_(document)
{
    connect(&document_, &Document::benchChanged, this, &MechanismEditor::refresh);
    connect(&document_, &Document::parametersChanged, this, &MechanismEditor::refresh);
}

MechanismEditor::~MechanismEditor() = default;

void MechanismEditor::setActive(bool on)
{
    if (on == active_)
        return;
    active_ = on;
    sound_.clear();
    refresh();
}

bool MechanismEditor::plane() const
{
    if (!text_)
        return false;
    const model::TomlEntry* dimensions = text_->root().find("dimensions");
    return document_.system().model().view.planar && !(dimensions && dimensions->value.number == 3);
}

// --- what is there ---

void MechanismEditor::refresh()
{
    text_.reset();
    geometry_ = {};
    status_ = {};
    pull_.reset();
    if (active_ && document_.hasModel() && !document_.system().model().equations)
        if (auto read = ModelText::read(document_.modelText().toStdString(), "model"))
            text_ = std::move(read).value();
    if (text_) {
        const auto& system = document_.system();
        const auto parameters = document_.parameters();
        model::SystemEvaluator evaluator(document_.systemHandle());
        evaluator.setParameters(parameters);
        state_ = {};
        state_.resize(system.n(), system.w());
        if (system.n() > 0)
            evaluator.starts(state_.q.data(), state_.v.data(), state_.lambda.data() + system.m());
        judge();
        geometry_ = EditGeometry::of(*text_, system, state_, parameters);
    }
    std::erase_if(selection_, [this](const std::string& id) { return !placeOf(id); });
    emit changed();
    emit selectionChanged();
}

/// Freedom, redundancy and conflicts at the start; the state becomes the consistent one.
void MechanismEditor::judge()
{
    const auto& system = document_.system();
    std::set<std::string> bodies;
    for (const auto& c : system.system().coordinates)
        if (!c.body.empty())
            bodies.insert(c.body);
    status_.bodies = static_cast<int>(bodies.size()); // of a table that stands for many, each
    if (system.n() == 0 || system.n() > kLargestJudged) {
        status_.known = system.n() == 0;
        if (const RunEntry* run = document_.find(document_.selected())) { // what its run began with
            const auto recording = document_.laboratory().recording(run->id);
            if (!recording.empty())
                recording.stateAt(recording.firstTime(), state_.q.data(), state_.v.data(), state_.lambda.data());
        }
        return;
    }
    const auto diagnosis = document_.diagnoseStart(document_.startSettings());
    if (!diagnosis) {
        status_.problem = diagnosis.error();
        return;
    }
    status_.known = true;
    status_.freedom = diagnosis->positionFreedom;
    status_.velocityFreedom = diagnosis->velocityFreedom;
    status_.index = system.holonomic() > 0 ? 3
                    : system.m() > 0       ? 2
                    : system.efforts() > 0 ? 1
                                           : 0; // of the equations of motion as they stand
    const auto& constraints = system.system().constraints;
    for (const auto& dependent : system.system().dependent) { // set aside when the text was read: every form can do without
        status_.redundant.push_back(model::sentence(dependent));
        status_.repeated.insert(dependent.constraint.joint.empty() ? dependent.constraint.name : dependent.constraint.joint);
    }
    for (const auto& redundancy : diagnosis->redundant) {
        status_.redundant.push_back(redundancy.text);
        const auto& c = constraints[static_cast<std::size_t>(redundancy.constraint)];
        status_.repeated.insert(c.joint.empty() ? c.name : c.joint);
    }
    status_.problem = diagnosis->conflict;
    if (!diagnosis->conflict)
        state_ = diagnosis->after;
    if (!status_.problem && document_.startProblem() && status_.bodies > 0) {
        status_.problem = *document_.startProblem();
        status_.defects = status_.repeated;
    }
    nameDefects();
}

/// The joints that a conflict names; where one of them is new or was changed since all fitted together, it is the one.
void MechanismEditor::nameDefects()
{
    std::map<std::string, std::string> tables;
    std::vector<std::string> named, changed;
    for (const auto& place : text_->places()) {
        if (place.kind != "joint")
            continue;
        const auto span = text_->span(place.kind, place.number);
        std::string& table = tables[place.name] = text_->text().substr(span.begin, span.end - span.begin);
        if (!status_.problem)
            continue;
        for (const std::string* part : {&status_.problem->what, &status_.problem->where, &status_.problem->why})
            if (speaksOf(*part, place.name) && (named.empty() || named.back() != place.name)) {
                named.push_back(place.name);
                if (const auto before = sound_.find(place.name); before == sound_.end() || before->second != table)
                    changed.push_back(place.name);
            }
    }
    if (!status_.problem) {
        sound_ = std::move(tables);
        return;
    }
    if (named.empty())
        return;
    const std::vector<std::string> blamed = changed.empty() ? named : changed;
    status_.defects.insert(blamed.begin(), blamed.end());
    const auto listed = [](const std::vector<std::string>& all) {
        std::string out;
        for (std::size_t k = 0; k < all.size(); ++k)
            out += (k == 0 ? "" : k + 1 == all.size() ? " and " : ", ") + all[k];
        return out;
    };
    if (named.size() < 2)
        return;
    std::erase_if(named, [&](const std::string& name) { return status_.defects.contains(name); });
    Diagnostic& d = *status_.problem;
    d.what = named.empty() ? listed(blamed) + " cannot be met together."
                           : listed(blamed) + " cannot be met together with " + listed(named) + ".";
    d.remedy = blamed.size() == 1
                   ? "another place or length of " + blamed.front() + ", or start values nearer to where the parts meet"
                   : d.remedy;
    d.position = {};
}

std::vector<double> MechanismEditor::parameters() const { return document_.parameters(); }

std::string MechanismEditor::idOf(const ModelText::Place& place)
{
    return place.name.empty() ? place.kind + "#" + std::to_string(place.number) : place.name;
}

const ModelText::Place* MechanismEditor::placeOf(const std::string& id) const
{
    if (!text_)
        return nullptr;
    for (const auto& place : text_->places())
        if (idOf(place) == id)
            return &place;
    return nullptr;
}

bool MechanismEditor::selected(const std::string& id) const
{
    return std::find(selection_.begin(), selection_.end(), id) != selection_.end();
}

void MechanismEditor::select(std::vector<std::string> ids)
{
    std::erase_if(ids, [this](const std::string& id) { return !placeOf(id); });
    if (ids == selection_)
        return;
    selection_ = std::move(ids);
    emit selectionChanged();
}

// --- committing ---

bool MechanismEditor::refuse(const std::string& what, const std::string& why, const std::string& remedy)
{
    emit said(Diagnostic{what, "", why, remedy, {}});
    return false;
}

std::vector<ModelText::FieldChange> MechanismEditor::startChanges(const model::ModelState& to, const model::ModelState& from,
                                                                  bool all) const
{
    std::vector<ModelText::FieldChange> out;
    const auto& coordinates = document_.system().system().coordinates;
    for (std::size_t i = 0; i < coordinates.size() && i < to.q.size(); ++i) {
        const auto& c = coordinates[i];
        const ModelText::Place* place = c.body.empty() ? text_->find(c.name) : text_->find(c.body);
        if (!place)
            continue;
        const std::string key = c.body.empty() ? std::string() : c.name.substr(c.body.size() + 1) + ".";
        if (all || std::abs(to.q[i] - from.q[i]) > kMoved)
            out.push_back({place->kind, place->number, key + "start", model::tomlSolvedPlace(to.q[i])});
        if (all && to.v[i] != 0)
            out.push_back({place->kind, place->number, key + "velocity", model::tomlNumber(to.v[i])});
    }
    return out;
}

Result<void> MechanismEditor::releaseChart(ModelText& text, const model::ModelState& state) const
{
    const bool starts = chartStates(text, "start") || chartStates(text, "velocity");
    if (auto done = text.removeSection("chart"); !done || !starts)
        return done;
    return text.setFields(startChanges(state, state, true));
}

ModelText MechanismEditor::draft() const
{
    ModelText out = *text_;
    if (chartStates(out, "start") || chartStates(out, "velocity"))
        if (ModelText released = out; releaseChart(released, state_))
            return released;
    return out;
}

bool MechanismEditor::commit(ModelText text, const QString& what, std::vector<std::string> selected)
{
    if (text.text() == text_->text())
        return true;
    bool hadChart = text_->root().find("chart") != nullptr;
    auto done = document_.editText(QString::fromStdString(text.text()), what);
    if (!done && text.root().find("chart"))
        if (ModelText released = text; releaseChart(released, state_)) {
            text = std::move(released);
            if (auto again = document_.editText(QString::fromStdString(text.text()), what))
                done = again;
        }
    if (!done) {
        emit said(done.error());
        return false;
    }
    if (hadChart && !text.root().find("chart"))
        emit told(tr("The chart of minimal coordinates was left out: it belongs to the mechanism as it was."));
    if (!selected.empty())
        select(std::move(selected));
    return true;
}

bool MechanismEditor::commitResult(const Result<void>& done, ModelText& text, const QString& what,
                                   std::vector<std::string> selected)
{
    if (done)
        return commit(std::move(text), what, std::move(selected));
    emit said(done.error());
    return false;
}

void MechanismEditor::assemble(ModelText& text) const
{
    const auto model = reduction::readModel(text.text(), "model.toml");
    if (!model || (*model)->system.n() == 0 || (*model)->system.n() > kLargestPulled)
        return;
    const auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return;
    model::SystemEvaluator evaluator(*compiled);
    run::StartSettings start;
    start.parameters = document_.startSettings().parameters;
    const auto request = run::startRequest(start, evaluator);
    consistency::ConsistencySolver solver(*compiled);
    const auto solved = request ? solver.solve(*request) : Result<consistency::Solution>(Diagnostic{});
    if (!solved)
        return; // the edit stands, and the live line says what does not fit
    std::vector<ModelText::FieldChange> changes;
    const auto& coordinates = (*model)->system.coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (const auto* place = text.find(coordinates[i].body);
            place && std::abs(solved->state.q[i] - request->q[i]) > 1e-6) // as far as numbers are written
            changes.push_back({"body", place->number, coordinates[i].name.substr(coordinates[i].body.size() + 1) + ".start",
                               model::tomlSolvedPlace(solved->state.q[i])});
    ModelText moved = text;
    if (moved.setFields(changes))
        text = std::move(moved);
}

bool MechanismEditor::rename(const std::string& id, const QString& to)
{
    const auto* place = placeOf(id);
    if (!place)
        return false;
    ModelText text = *text_;
    const std::string name = to.trimmed().toStdString();
    const auto done = place->name.empty() ? text.setField(place->kind, place->number, "name", model::tomlString(name))
                                          : text.rename(place->name, name);
    if (name == place->name)
        return true;
    const auto renamed = std::find_if(text.places().begin(), text.places().end(),
                                      [&](const auto& p) { return p.kind == place->kind && p.number == place->number; });
    const std::string now =
        renamed == text.places().end() ? name : renamed->name; // of a table that stands for many with its index
    return commitResult(done, text,
                        tr("rename %1 to %2").arg(QString::fromStdString(place->words()), QString::fromStdString(now)), {now});
}

bool MechanismEditor::setField(const std::string& id, const std::string& path, const QString& value)
{
    const auto* place = placeOf(id);
    if (!place)
        return false;
    ModelText text = *text_;
    const std::string written = value.trimmed().toStdString();
    if (written == text.fieldText(place->kind, place->number, path))
        return true;
    const auto done = written.empty() ? text.removeField(place->kind, place->number, path)
                                      : text.setField(place->kind, place->number, path, written);
    const QString shown =
        QString::fromStdString(place->name.empty() ? place->words() : place->name) + "." + QString::fromStdString(path);
    return commitResult(done, text,
                        written.empty() ? tr("remove %1").arg(shown) : QStringLiteral("%1 = %2").arg(shown, value.trimmed()));
}

} // namespace driftless::ui
