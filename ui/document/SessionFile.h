// A session as a file: the laboratory's JSON with the window's presentation beside it, so that `driftless run --replay` reads
// the same file.
#pragma once

#include <QByteArray>
#include <QStringList>

#include <functional>

#include "ui/document/Bench.h"
#include "ui/document/ShownPlot.h"

namespace driftless::ui {

/// plots: what the window's plots show; none: the file does not say it.
QByteArray sessionBytes(const Bench& bench, const std::vector<ShownPlot>& plots = {});
/// Those of a file, in their order; empty where it says nothing. unknown: words that no plot has.
std::vector<ShownPlot> savedPlots(const QByteArray& json, QStringList& unknown);

/// The bench of a repeated session with the presentation that its JSON says. freshKey numbers its runs. What is missing or out
/// of range takes defaults: names "Run 1", ..., the first run selected, speed 1, no measured data.
BenchHandle sessionBench(std::unique_ptr<run::Laboratory> laboratory, const QByteArray& json,
                         const std::function<int()>& freshKey);

} // namespace driftless::ui
