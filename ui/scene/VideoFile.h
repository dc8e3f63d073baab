// A film as Ogg Theora: a free format that browsers and players know.
#pragma once

#include <memory>
#include <string>

#include "core/base/Result.h"
#include "ui/scene/SceneTypes.h"

namespace driftless::scene {

/// Theora codes blocks of this many pixels; both sides of a film are multiples of it.
constexpr int kFilmBlock = 16;

class VideoFile {
public:
    /// Every picture must be width x height. The film is written beside the path and renamed by finish(); without finish()
    /// nothing remains.
    static Result<std::unique_ptr<VideoFile>> create(const std::string& path, int width, int height, int framesPerSecond);
    ~VideoFile();
    VideoFile(const VideoFile&) = delete;
    VideoFile& operator=(const VideoFile&) = delete;

    Result<void> add(const Pixels& pixels);
    Result<void> finish();

private:
    VideoFile();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::scene
