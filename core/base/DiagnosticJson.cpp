#include "core/base/DiagnosticJson.h"

#include <nlohmann/json.hpp>

namespace driftless {

std::string diagnosticJson(const Diagnostic& d)
{
    std::string where = d.position.text();
    if (!where.empty() && !d.where.empty())
        where += ": ";
    const nlohmann::ordered_json out{{"what", d.what}, {"where", where + d.where}, {"why", d.why}, {"try", d.remedy}};
    return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace driftless
