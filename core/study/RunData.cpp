#include "core/study/RunData.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/run/Columns.h"
#include "core/run/RunJson.h"
#include "core/study/Fingerprint.h"
#include "core/text/Budget.h"
#include "core/text/Numbers.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"

namespace driftless::study {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// One line of numbers, separated by commas. False where it is not that.
bool parseLine(std::string_view line, std::size_t count, std::vector<double>& out)
{
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::size_t i = 0; i < count; ++i) {
        double value = std::numeric_limits<double>::quiet_NaN();
        if (at != end && *at != ',') {
            const auto read = std::from_chars(at, end, value);
            if (read.ec != std::errc())
                return false;
            at = read.ptr;
        }
        out.push_back(value);
        if (i + 1 < count && (at == end || *at++ != ','))
            return false;
    }
    return at == end;
}

constexpr std::array kKinds{"position", "velocity", "multiplier", "auxiliary", "residual", "energy", "step", "pivot", "other"};

Diagnostic damaged(const std::string& path)
{
    return {.what = "This finished run cannot be used",
            .where = path,
            .why = "it is damaged or of another version",
            .remedy = "delete it; it is computed again"};
}

/// Of what is in both files; the JSON without its checksum.
std::string checksumOf(const Json& json, std::string_view csv)
{
    return Fingerprint().add(json.dump(-1, ' ', false, Json::error_handler_t::replace)).add(csv).text();
}

/// The rows below the head: times that do not fall, as many numbers in each as there are columns.
bool readRows(std::string_view rest, RunData& out)
{
    rest.remove_prefix(rest.find('\n') == std::string_view::npos ? rest.size() : rest.find('\n') + 1);
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        if (end == std::string_view::npos || !parseLine(rest.substr(0, end), out.width(), out.values))
            return false;
        rest.remove_prefix(end + 1);
    }
    for (std::size_t r = 0; r < out.rowCount(); ++r)
        if (!std::isfinite(out.time(r)) || (r > 0 && out.time(r) < out.time(r - 1)))
            return false;
    return true;
}

} // namespace

std::string csvOf(const RunData& data)
{
    std::string out = "t";
    for (const std::string& name : run::headingsOf(data.columns))
        out += ',' + name;
    out += '\n';
    out.reserve(data.values.size() * 20);
    for (std::size_t r = 0; r < data.rowCount(); ++r) {
        const auto row = data.row(r);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i)
                out += ',';
            out += text::csvNumber(row[i]);
        }
        out += '\n';
    }
    return out;
}

Result<void> saveRun(const RunData& data, const std::string& folder)
{
    const std::string base = (fs::path(folder) / data.name).string();
    const std::string csv = csvOf(data);
    if (auto written = writeWholeFile(base + ".csv", csv); !written)
        return written;
    Json columns = Json::array();
    for (const run::Column& column : data.columns)
        columns.push_back(
            {{"name", column.name}, {"unit", column.unit}, {"kind", kKinds[static_cast<std::size_t>(column.kind)]}});
    Json selections = Json::array();
    for (const SelectionChange& change : data.selections)
        selections.push_back({{"t", change.t}, {"from", change.from}, {"to", change.to}});
    Json out{{"name", data.name},
             {"fingerprint", data.fingerprint},
             {"report", run::toJson(data.report)},
             {"positions", data.positions},
             {"columns", columns},
             {"wall_seconds", data.wallSeconds}};
    Json parameters = Json::array();
    for (const run::ParametersSince& since : data.parameters)
        parameters.push_back({{"t", since.t}, {"values", since.values}});
    out["parameters_since"] = std::move(parameters);
    out["selections"] = std::move(selections);
    out["checksum"] = checksumOf(out, csv);
    return writeWholeFile(base + ".json", out.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

Result<RunData> loadRun(const std::string& folder, const std::string& name, const std::string& fingerprint)
{
    const std::string base = (fs::path(folder) / name).string();
    const auto text = readRegularFile(base + ".json", budget::kResultBytes);
    if (!text)
        return text.error();
    const auto csv = readRegularFile(base + ".csv", budget::kResultBytes);
    if (!csv)
        return csv.error();
    RunData out;
    try {
        Json j = Json::parse(*text);
        const std::string checksum = j.at("checksum").get<std::string>();
        j.erase("checksum");
        if (checksumOf(j, *csv) != checksum)
            return damaged(base + ".json");
        out.name = j.at("name").get<std::string>();
        out.fingerprint = j.at("fingerprint").get<std::string>();
        out.report = run::readReport(j.at("report"));
        out.positions = j.at("positions").get<std::size_t>();
        out.wallSeconds = j.at("wall_seconds").get<double>();
        for (const Json& change : j.at("selections"))
            out.selections.push_back({.t = change.at("t").get<double>(),
                                      .from = change.at("from").get<std::vector<std::string>>(),
                                      .to = change.at("to").get<std::vector<std::string>>()});
        for (const Json& since : j.at("parameters_since")) {
            out.parameters.push_back({since.at("t").get<double>(), since.at("values").get<std::vector<double>>()});
            if (out.parameters.back().values.size() != out.report.parameters.size())
                return damaged(base + ".json");
        }
        for (const Json& c : j.at("columns")) {
            const auto kind = std::find(kKinds.begin(), kKinds.end(), c.at("kind").get<std::string>());
            if (kind == kKinds.end())
                return damaged(base + ".json");
            out.columns.push_back({c.at("name").get<std::string>(), c.at("unit").get<std::string>(),
                                   static_cast<run::ColumnKind>(kind - kKinds.begin())});
        }
    } catch (const std::exception&) {
        return damaged(base + ".json");
    }
    if (out.name != name || out.fingerprint != fingerprint || out.positions > out.columns.size() / 2)
        return damaged(base + ".json");
    if (!readRows(*csv, out))
        return damaged(base + ".csv");
    return out;
}

} // namespace driftless::study
