// Edits of the model of the open bench: its text, its start. All runs start again from t = 0, and each edit is one undo entry.
//
// A mechanism that is being built cannot always move: it has no body yet, or its joints do not fit together. Its text is
// accepted all the same, its runs wait with their settings, and OpenBench::startProblem() says why.
#pragma once

#include <QCoreApplication>

#include "ui/document/OpenBench.h"

namespace driftless::ui {

class ModelEdits {
    Q_DECLARE_TR_FUNCTIONS(ModelEdits)
public:
    ModelEdits(OpenBench& open, MessageLog& messages);

    /// The model text as edited; the runs keep their settings.
    Result<void> applyText(const QString& text);
    /// The model text after an edit in the picture or in a table, called what. Parameters that were set live keep their values.
    /// Runs that cannot start from it wait, and start with the next edit that lets them.
    Result<void> editText(const QString& text, const QString& what);

    // False when refused; the log says why.

    /// Another value of a number of the model's table [structure].
    bool setStructure(const QString& name, int value);
    /// A start value (coordinate, velocity, multiplier or chart coordinate).
    bool setInitialValue(const QString& name, double value);
    /// Start values, what is fixed, and the metric.
    bool setStart(const run::SetStart& start);
    /// Back to t = 0 with the present settings and parameters.
    bool reset();

private:
    bool startAgain(const run::StartSettings& start, const QString& text);

    OpenBench& open_;
    MessageLog& messages_;
};

} // namespace driftless::ui
