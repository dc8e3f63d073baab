// Puts a bench on the table: a model, a study, a lesson's step, the first start, or an empty mechanism.
//
// Each begins a document of its own and is one undo entry where another one was open. A failure leaves what was open.
#pragma once

#include <QCoreApplication>

#include "core/lesson/Lesson.h"
#include "ui/document/Playback.h"

namespace driftless::ui {

class ModelOpener {
    Q_DECLARE_TR_FUNCTIONS(ModelOpener)
public:
    ModelOpener(OpenBench& open, History& history, Playback& playback);

    /// A model file or a shipped model's name, with one run as the file's [run] table says.
    Result<void> openModel(const QString& pathOrName);
    /// The text of a file that could not be opened as it stands, mended by hand.
    Result<void> openText(const QString& text, const QString& path);
    /// The first start: the pendulum of [MS91] case 2 in two forms, one of which drifts.
    Result<void> openFirstStart();
    /// An empty mechanism with gravity, to be built by hand; its run waits for the first body.
    Result<void> newMechanism();
    /// The bench of a lesson's step: model, start and runs at once, paused at t = 0. text: what the undo entry is called.
    Result<void> setUp(const lesson::Setup& setup, const QString& text);
    /// The runs of a study that share the start of the first one, at most RunList::kMost of them, as ghosts. left says what of
    /// the study is not on the table: live events, other starts, runs that are refused; empty when nothing.
    Result<void> openStudy(const QString& pathOrName, QString* left = nullptr);

private:
    Result<void> openBench(Result<std::shared_ptr<const model::Model>> model, const QString& name);
    RunEntry freshEntry(int colour);

    OpenBench& open_;
    History& history_;
    Playback& playback_;
};

} // namespace driftless::ui
