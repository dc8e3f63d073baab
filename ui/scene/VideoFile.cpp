#include "ui/scene/VideoFile.h"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <optional>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/text/WholeFile.h"

namespace driftless::scene {

namespace {

constexpr int kBestQuality = 2; // of 0, 1, 2

Diagnostic unwritable(const std::string& path, const std::string& why)
{
    return {.what = "The film could not be written",
            .where = path,
            .why = why,
            .remedy = "check that the folder exists, that you may write there, and that there is room"};
}

/// VTK's writer opens a file by its name and looks at nothing that the disk answers. It is given the end of a pipe; what comes
/// out of the other end goes to the one writer of files, on a thread of its own.
class CheckedPipe {
public:
    explicit CheckedPipe(WholeFile file) : file_(std::move(file)) {}
    ~CheckedPipe() { finish(); }
    CheckedPipe(const CheckedPipe&) = delete;
    CheckedPipe& operator=(const CheckedPipe&) = delete;

    bool open()
    {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return false;
        out_ = ends[0];
        in_ = ends[1];
        thread_ = std::thread([this] { drain(); });
        return true;
    }
    std::string name() const { return "/proc/self/fd/" + std::to_string(in_); }
    bool failed() const { return failed_; }

    /// Once the writer has closed its end: what is left goes through.
    void finish()
    {
        if (in_ >= 0)
            ::close(std::exchange(in_, -1));
        if (thread_.joinable())
            thread_.join();
        if (out_ >= 0)
            ::close(std::exchange(out_, -1));
    }
    /// Behind finish() or failed().
    Result<void> commit() { return failed_ ? Result<void>{*error_} : file_.commit(); }

private:
    /// Goes on reading where the disk refuses: the writer would wait for ever.
    void drain()
    {
        std::array<char, 64 << 10> bytes;
        for (;;) {
            const ssize_t count = ::read(out_, bytes.data(), bytes.size());
            if (count == 0 || (count < 0 && errno != EINTR))
                return;
            if (count < 0 || failed_)
                continue;
            if (auto written = file_.write({bytes.data(), static_cast<std::size_t>(count)}); !written) {
                error_ = written.error();
                failed_ = true;
            }
        }
    }

    WholeFile file_;
    int in_ = -1, out_ = -1;
    std::optional<Diagnostic> error_; ///< set before failed_
    std::atomic<bool> failed_{false};
    std::thread thread_;
};

} // namespace

struct VideoFile::Impl {
    std::string path;
    int width = 0, height = 0;
    bool begun = false;                // a picture is in it; before that VTK's writer has nothing that it could end
    std::unique_ptr<CheckedPipe> pipe; // outlives the writer
    vtkNew<vtkImageData> image;
    vtkNew<vtkOggTheoraWriter> writer;
};

VideoFile::VideoFile() : impl_(std::make_unique<Impl>()) {}

VideoFile::~VideoFile()
{
    if (impl_->begun)
        impl_->writer->End();
}

Result<std::unique_ptr<VideoFile>> VideoFile::create(const std::string& path, int width, int height, int framesPerSecond)
{
    if (width < kFilmBlock || height < kFilmBlock || width % kFilmBlock != 0 || height % kFilmBlock != 0)
        return Diagnostic{.what = "A film's sides are multiples of 16 pixels",
                          .where = std::to_string(width) + " x " + std::to_string(height)};
    std::unique_ptr<VideoFile> film(new VideoFile);
    Impl& d = *film->impl_;
    d.path = path;
    auto file = WholeFile::create(path);
    if (!file)
        return file.error();
    d.pipe = std::make_unique<CheckedPipe>(std::move(*file));
    if (!d.pipe->open())
        return unwritable(path, "the system gives no pipe");
    d.width = width;
    d.height = height;
    d.image->SetDimensions(width, height, 1);
    d.image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    d.writer->SetFileName(d.pipe->name().c_str());
    d.writer->SetInputData(d.image);
    d.writer->SetRate(framesPerSecond);
    d.writer->SetQuality(kBestQuality);
    d.writer->SubsamplingOff(); // thin coloured lines keep their colour
    d.writer->Start();
    if (d.writer->GetError() != 0)
        return unwritable(path, "the film's head could not be written");
    return film;
}

Result<void> VideoFile::add(const Pixels& pixels)
{
    Impl& d = *impl_;
    if (pixels.width != d.width || pixels.height != d.height)
        return Diagnostic{.what = "All pictures of a film have one size", .where = d.path};
    auto* target = static_cast<unsigned char*>(d.image->GetScalarPointer());
    for (int y = pixels.height - 1; y >= 0; --y) // VTK counts rows from the bottom
        for (int x = 0; x < pixels.width; ++x) {
            const std::uint32_t word = pixels.at(x, y);
            *target++ = static_cast<unsigned char>(word >> 16);
            *target++ = static_cast<unsigned char>(word >> 8);
            *target++ = static_cast<unsigned char>(word);
        }
    d.begun = true;
    d.image->Modified();
    d.writer->Write();
    if (d.writer->GetError() != 0)
        return unwritable(d.path, "a picture could not be written");
    return d.pipe->failed() ? d.pipe->commit() : Result<void>{};
}

Result<void> VideoFile::finish()
{
    Impl& d = *impl_;
    if (!d.begun)
        return unwritable(d.path, "there is no picture in it");
    d.writer->End();
    d.begun = false;
    d.pipe->finish();
    return d.pipe->commit();
}

} // namespace driftless::scene
