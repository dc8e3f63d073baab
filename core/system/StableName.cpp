#include "core/system/StableName.h"

#include <charconv>
#include <system_error>
#include <utility>

namespace driftless::model {

std::optional<StableName> readStableName(std::string_view text)
{
    using Kind = StableName::Kind;
    static constexpr std::pair<std::string_view, Kind> kWords[] = {
        {"model/", Kind::Model}, {"study/", Kind::Study}, {"lesson/", Kind::Lesson}};
    for (const auto& [word, kind] : kWords) {
        if (!text.starts_with(word))
            continue;
        text.remove_prefix(word.size());
        StableName out{.kind = kind, .id = {}};
        if (const auto mark = text.find('#'); kind == Kind::Lesson && mark != std::string_view::npos) {
            const char* const end = text.data() + text.size();
            const auto read = std::from_chars(text.data() + mark + 1, end, out.step);
            if (read.ec != std::errc() || read.ptr != end || out.step < 1)
                return {};
            text = text.substr(0, mark);
        }
        if (text.empty() || text.find_first_of("/#") != std::string_view::npos)
            return {};
        out.id = text;
        return out;
    }
    return {};
}

} // namespace driftless::model
