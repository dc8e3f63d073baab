// A session as a file: the laboratory's JSON with the window's presentation beside it, so that `driftless run --replay` reads
// the same file.
#pragma once

#include <QByteArray>

#include <functional>

#include "ui/document/Bench.h"

namespace driftless::ui {

QByteArray sessionBytes(const Bench& bench);

/// The bench of a repeated session with the presentation that its JSON says. freshKey numbers its runs. What is missing or out
/// of range takes defaults: names "Run 1", ..., the first run selected, speed 1, no measured data.
BenchHandle sessionBench(std::unique_ptr<run::Laboratory> laboratory, const QByteArray& json,
                         const std::function<int()>& freshKey);

} // namespace driftless::ui
