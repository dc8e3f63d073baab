// Entry points of the window for the composition root: the interactive program and its pictures.
//
// With QT_QPA_PLATFORM=offscreen both work without any display.
#pragma once

#include <QSize>

#include <string>

#include "core/base/Result.h"

namespace driftless::ui {

/// What Qt has to say from here on: nothing beside the program's own messages, unless QT_LOGGING_RULES or QT_DEBUG_PLUGINS asks
/// for it. Where Qt cannot start at all, which it answers with an abort, one message and the exit code 2.
void answerForQt();

/// Opens the window and runs until it is closed; returns the exit code. model: a path to a model or session file, the
/// name of a shipped model, or empty for the first start (the swinging pendulum with its question at t = 40).
/// A model that cannot be opened prints its message on standard error and returns 2.
/// version: what the window says of itself.
int runWindow(int argc, char** argv, const std::string& modelOrEmpty, const char* version);

/// Drives the real window without showing it: opens the model (empty: the first start), lets every run reach untilTime
/// [s], shows that time and writes the whole window as a PNG of size. page: of the drawer, which is opened then; empty: as the
/// window decides. Makes its own QApplication when there is none.
Result<void> screenshotWindow(const std::string& model, QSize size, bool dark, double untilTime, const std::string& pngPath,
                              const std::string& page = {});

} // namespace driftless::ui
