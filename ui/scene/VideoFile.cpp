#include "ui/scene/VideoFile.h"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>

#include <cstdio>
#include <filesystem>

#include <unistd.h>

namespace driftless::scene {

namespace {

constexpr int kBestQuality = 2; // of 0, 1, 2

Diagnostic unwritable(const std::string& path, const std::string& why)
{
    return {"The film could not be written.", path, why, "Check that the folder exists, that you may write there, and that there is room.", {}};
}

} // namespace

struct VideoFile::Impl {
    std::string path, part;
    int width = 0, height = 0;
    bool begun = false, finished = false; // begun: a picture is in it; before that VTK's writer has nothing that it could end
    vtkNew<vtkImageData> image;
    vtkNew<vtkOggTheoraWriter> writer;
};

VideoFile::VideoFile() : impl_(std::make_unique<Impl>()) {}

VideoFile::~VideoFile()
{
    if (impl_->begun && !impl_->finished)
        impl_->writer->End();
    if (!impl_->finished)
        std::remove(impl_->part.c_str());
}

Result<std::unique_ptr<VideoFile>> VideoFile::create(const std::string& path, int width, int height, int framesPerSecond)
{
    if (width < kFilmBlock || height < kFilmBlock || width % kFilmBlock != 0 || height % kFilmBlock != 0)
        return Diagnostic{"A film's sides are multiples of 16 pixels.", std::to_string(width) + " x " + std::to_string(height), "", "", {}};
    std::unique_ptr<VideoFile> film(new VideoFile);
    Impl& d = *film->impl_;
    d.path = path;
    d.part = path + ".part" + std::to_string(getpid());
    d.width = width;
    d.height = height;
    // VTK reports an unwritable file on standard error only; asked beforehand.
    std::FILE* probe = std::fopen(d.part.c_str(), "wb");
    if (!probe)
        return unwritable(path, "the folder does not exist or cannot be written to");
    std::fclose(probe);
    d.image->SetDimensions(width, height, 1);
    d.image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    d.writer->SetFileName(d.part.c_str());
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
        return Diagnostic{"All pictures of a film have one size.", d.path, "", "", {}};
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
    return {};
}

Result<void> VideoFile::finish()
{
    Impl& d = *impl_;
    if (!d.begun)
        return unwritable(d.path, "there is no picture in it");
    d.writer->End();
    d.begun = false;
    std::error_code error;
    std::filesystem::rename(d.part, d.path, error);
    if (error)
        return unwritable(d.path, error.message());
    d.finished = true;
    return {};
}

} // namespace driftless::scene
