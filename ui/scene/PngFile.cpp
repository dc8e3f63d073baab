#include "ui/scene/PngFile.h"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace driftless::scene {

namespace {

Diagnostic unwritable(const std::string& path, const std::string& why)
{
    return {"The picture could not be written.", path, why, "Check that the folder exists and that you may write there.", {}};
}

} // namespace

Result<void> writePng(const Pixels& pixels, const std::string& path)
{
    vtkNew<vtkImageData> image;
    image->SetDimensions(pixels.width, pixels.height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    auto* target = static_cast<unsigned char*>(image->GetScalarPointer());
    for (int y = pixels.height - 1; y >= 0; --y) // VTK counts rows from the bottom
        for (int x = 0; x < pixels.width; ++x) {
            const std::uint32_t word = pixels.at(x, y);
            *target++ = static_cast<unsigned char>(word >> 16);
            *target++ = static_cast<unsigned char>(word >> 8);
            *target++ = static_cast<unsigned char>(word);
        }
    // Encoded in memory: the writer's own file handling reports less than the system does.
    vtkNew<vtkPNGWriter> writer;
    writer->SetInputData(image);
    writer->WriteToMemoryOn();
    writer->Write();
    vtkUnsignedCharArray* bytes = writer->GetResult();
    if (!bytes || bytes->GetNumberOfValues() == 0)
        return Diagnostic{"The picture could not be encoded as PNG.", path, "", "Try a smaller size.", {}};

    const std::string part = path + ".part" + std::to_string(getpid());
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (!file)
        return unwritable(path, std::strerror(errno));
    const std::size_t size = static_cast<std::size_t>(bytes->GetNumberOfValues());
    const bool written = std::fwrite(bytes->GetPointer(0), 1, size, file) == size;
    const int writeError = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written || !closed) {
        const std::string why = std::strerror(written ? errno : writeError);
        std::remove(part.c_str());
        return unwritable(path, why);
    }
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error) {
        std::remove(part.c_str());
        return unwritable(path, error.message());
    }
    return {};
}

} // namespace driftless::scene
