// Titles with a little mathematics between dollars. The parser is the figures' (ui/figures), of which it needs QString alone.
#include "tests/fuzz/Fuzz.h"
#include "ui/figures/MathParse.h"

using namespace driftless;
using namespace driftless::figures;

namespace {

int depthOf(const std::vector<Atom>& atoms, int above)
{
    int most = above;
    if (above > kDeepestScript + 2)
        return above;
    for (const Atom& atom : atoms)
        for (const auto* scripts : {&atom.sub, &atom.sup})
            most = std::max(most, scripts->empty() ? above : depthOf(*scripts, above + 1));
    return most;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const QString markup = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    const auto pieces = splitAtDollars(markup);
    fuzz::check(pieces.size() % 2 == 1, "an unpaired dollar is text", std::string(text));
    const auto atoms = parseMarkup(markup);
    fuzz::check(depthOf(atoms, 0) <= kDeepestScript + 1, "scripts are nested no deeper than promised",
                std::string(text)); // and the prime of the innermost
    qsizetype length = 0;
    for (const Atom& atom : atoms)
        length += atom.text.size();
    fuzz::check(length <= 8 * markup.size() + 8, "what is set is no longer than what was written",
                std::string(text)); // \log is log, \to one arrow
    if (markup.contains('$') || markup.contains('\\') || markup.isEmpty())
        return 0;
    fuzz::check(atoms.size() == 1 && atoms[0].kind == Atom::Kind::Text && atoms[0].text == markup,
                "text without mathematics stays as it is", std::string(text));
    return 0;
}
