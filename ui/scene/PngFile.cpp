#include "ui/scene/PngFile.h"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include "core/text/WholeFile.h"

namespace driftless::scene {

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
        return Diagnostic{.what = "The picture could not be encoded as PNG", .where = path, .remedy = "a smaller size"};

    return writeWholeFile(
        path, {reinterpret_cast<const char*>(bytes->GetPointer(0)), static_cast<std::size_t>(bytes->GetNumberOfValues())});
}

} // namespace driftless::scene
