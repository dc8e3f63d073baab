#include "ui/document/OpenBench.h"

#include <QFileInfo>

#include "ui/document/BenchCommand.h"
#include "ui/document/ModelPace.h"

namespace driftless::ui {

OpenBench::OpenBench(History& history, MessageLog& messages, QObject* parent)
    : QObject(parent), history_(history), messages_(messages)
{
}

// --- what is there ---

std::shared_ptr<const model::CompiledSystem> OpenBench::compiledHandle() const
{
    return bench_ ? bench_->compiledHandle() : nullptr;
}

const std::vector<RunEntry>& OpenBench::runs() const
{
    static const std::vector<RunEntry> none;
    return bench_ ? bench_->runs().entries() : none;
}

const RunEntry* OpenBench::find(int key) const { return bench_ ? bench_->runs().find(key) : nullptr; }

run::RunStatus OpenBench::status(int key) const { return bench_ ? bench_->status(key) : run::RunStatus{}; }

int OpenBench::selected() const { return bench_ ? bench_->runs().selected() : -1; }

int OpenBench::reference() const { return bench_ ? bench_->runs().reference() : -1; }

std::vector<double> OpenBench::parameters() const { return bench_ ? bench_->parameters() : std::vector<double>{}; }

run::StartSettings OpenBench::startSettings() const { return bench_ ? bench_->start() : run::StartSettings{}; }

const Diagnostic* OpenBench::startProblem() const { return bench_ && bench_->problem() ? &*bench_->problem() : nullptr; }

run::RunSettings OpenBench::defaultSettings() const { return bench_ ? settingsAsFile(compiled().model()) : run::RunSettings{}; }

QString OpenBench::name() const
{
    if (!bench_)
        return {};
    const QString& path = history_.origin(bench_->document()).sessionPath;
    if (!path.isEmpty())
        return QFileInfo(path).completeBaseName();
    if (const QString& title = history_.origin(bench_->document()).title; !title.isEmpty())
        return title;
    const auto& model = compiled().model();
    return QString::fromStdString(model.title.empty() ? model.name : model.title);
}

QString OpenBench::modelText() const { return bench_ ? QString::fromStdString(compiled().model().text) : QString(); }

QString OpenBench::modelPath() const { return bench_ ? QString::fromStdString(compiled().model().path) : QString(); }

// --- presentation ---

void OpenBench::select(int key)
{
    if (bench_ && bench_->runs().select(key))
        emit runsChanged();
}

void OpenBench::setReference(int key)
{
    if (bench_ && bench_->runs().setReference(key))
        emit runsChanged();
}

void OpenBench::setVisible(int key, bool visible)
{
    if (bench_ && bench_->runs().setVisible(key, visible))
        emit runsChanged();
}

const std::vector<MeasuredCurves>& OpenBench::measured() const
{
    static const std::vector<MeasuredCurves> none;
    return bench_ ? bench_->runs().measured() : none;
}

void OpenBench::setMeasured(std::vector<MeasuredCurves> measured)
{
    bench_->runs().setMeasured(std::move(measured));
    emit runsChanged();
}

void OpenBench::setTyped(std::optional<std::string> text)
{
    const auto& saved = history_.origin(bench_->document()).typed;
    const bool was = bench_->typed() != saved;
    bench_->setTyped(std::move(text));
    if (was != (bench_->typed() != saved))
        emit history_.changed(); // the title says whether something would be lost
}

// --- another bench ---

/// What is being typed stays with its bench.
void OpenBench::noteLeft()
{
    const int number = bench_->document();
    history_.noteLeft(number, name(),
                      {.typed = bench_->typed() != history_.origin(number).typed, .logged = !bench_->logKept()});
}

Diagnostic OpenBench::reservedAlready() const
{
    return {.what = "A session is being opened already", .remedy = "wait for it, or cancel it"};
}

Result<void> OpenBench::adopt(BenchHandle bench, const QString& text, Opens opens)
{
    if (reserved_)
        return reservedAlready();
    const bool first = !bench_;
    if (!first && opens == Opens::NewDocument)
        emit leaving();
    if (!first)
        noteLeft();
    bench->noteLogKept();
    bench->setDocument(first || opens == Opens::NewDocument ? history_.open() : bench_->document());
    const auto clock = first ? run::ClockStatus{} : laboratory().clock();
    if (!first && opens == Opens::SameDocument) { // another document brings its own
        bench->laboratory().setSpeed(clock.speed);
        bench->runs().setMeasured(bench_->runs().measured());
        bench->setTyped(bench_->typed());
    }
    if (first) {
        bench_ = std::move(bench);
    } else {
        laboratory().pause();
        std::swap(bench_, bench);
        history_.push(new BenchCommand(*this, messages_, std::move(bench), text), bench_->document(), opens);
    }
    if (clock.playing)
        laboratory().play();
    emit benchChanged();
    emit history_.changed();
    return {};
}

void OpenBench::entitle(const QString& title)
{
    history_.noteTitle(bench_->document(), title);
    emit history_.changed();
}

void OpenBench::exchange(BenchHandle& other)
{
    if (bench_->document() != other->document())
        emit leaving();
    const auto clock = laboratory().clock();
    laboratory().pause();
    noteLeft();
    std::swap(bench_, other);
    const bool sameDocument = bench_->document() == other->document();
    if (sameDocument) // what is being typed belongs to the document, not to its state
        bench_->setTyped(other->typed());
    laboratory().setSpeed(sameDocument ? clock.speed : firstSpeed(bench_->compiled().model()));
    if (clock.playing)
        laboratory().play();
    emit benchChanged();
    emit history_.changed();
}

void OpenBench::replace(BenchHandle bench, const DocumentOrigin& origin)
{
    bench->noteLogKept();
    bench->setDocument(history_.openAlone(origin));
    bench_ = std::move(bench);
    messages_.clear();
    emit benchChanged();
    emit history_.changed();
}

} // namespace driftless::ui
