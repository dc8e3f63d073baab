#include "ui/document/Measured.h"

namespace driftless::ui {

Result<MeasuredCurves> MeasuredCurves::read(const QString& name, std::string text, const std::string& file,
                                            const model::ConstrainedSystem& system)
{
    auto data = study::readMeasuredData(text, file, system);
    if (!data)
        return data.error();
    for (run::Column& column : data->columns)
        column.kind = run::ColumnKind::Other; // one measured force is not all multipliers
    auto recording = std::make_shared<run::Recording>(0, 0, data->columns);
    std::vector<double> row(data->columns.size());
    for (std::size_t i = 0; i < data->t.size(); ++i) {
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] = data->values[c][i];
        recording->append(data->t[i], row);
    }
    return MeasuredCurves{name, std::move(text), std::move(recording)};
}

} // namespace driftless::ui
