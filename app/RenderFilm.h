// Many pictures of one run: a film, a sequence of PNG files, or positions at equal times in one image.
#pragma once

#include <string>

#include "app/PictureOptions.h"
#include "core/base/Result.h"
#include "core/run/Run.h"

namespace driftless::app {

struct FilmOptions {
    double from = 0, to = 0; ///< [s], to > from
    double framesPerSecond = 30;
    double speed = 1; ///< seconds of the model per second of the film
    PictureSize size;
    bool dark = false;
};

constexpr int kMostFrames = 100000;

/// Frames that the options ask for; both ends are shown. Fails beyond kMostFrames.
Result<int> frameCount(const FilmOptions& options);

/// Ogg Theora. The size must be a multiple of 16 pixels. Interrupting (SIGINT, SIGTERM) leaves nothing behind.
Result<void> writeFilm(const run::Run& run, const FilmOptions& options, const std::string& path);
/// Whether frames in this folder would be taken for a part of the film: those of a longer one, behind its last picture.
Result<void> checkFrames(const FilmOptions& options, const std::string& folder);
/// FOLDER/frame-00001.png, ... Interrupting leaves the pictures that are finished.
Result<void> writeFrames(const run::Run& run, const FilmOptions& options, const std::string& folder);
/// `count` positions at equal times as one PNG.
Result<void> writeStrobe(const run::Run& run, const FilmOptions& options, int count, const std::string& path);

} // namespace driftless::app
