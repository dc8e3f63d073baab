#include "app/BaseMode.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

#include "app/Output.h"
#include "core/system/Modes.h"

namespace driftless::app {

void addBaseMode(const model::ConstrainedSystem& system, nlohmann::ordered_json& out)
{
    using nlohmann::ordered_json;
    const bool modes = !system.oneSided.empty();
    out["mode"] = modes ? ordered_json(model::modeName(system, model::baseMode(system))) : ordered_json();
    out["left_out"] = ordered_json::array();
    std::string names;
    for (const model::OneSided& row : system.oneSided) {
        if (row.kind == model::OneSidedKind::Link) // whole in the base
            continue;
        const bool contact = row.kind == model::OneSidedKind::Contact;
        out["left_out"].push_back({{"row", row.row.name}, {"kind", contact ? "contact" : "friction"}});
        names += (names.empty() ? "" : ", ") + row.row.name + (contact ? "" : " (friction)");
    }
    if (!names.empty())
        std::cerr << "driftless: note: this is of the system without contacts and friction; left out: " << printable(names)
                  << '\n';
}

} // namespace driftless::app
