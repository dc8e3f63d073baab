// Texts of mechanisms, and of models that state coordinates, energies or equations in TOML. A model that opens keeps its text,
// its names name what they say, M is symmetric, and its energies balance; opened twice it is the same model.
#include "core/expr/Print.h"
#include "core/mechanism/ModelText.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/CompiledSystem.h"
#include "tests/fuzz/Energy.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

/// Everything that is computed with.
std::string written(const model::ConstrainedSystem& s)
{
    std::string out;
    const auto add = [&out](const expr::Expr& e) {
        out += (expr::writtenSize(e) < Budget::kTerms ? expr::print(e) : expr::printShort(e)) + '\n';
    };
    for (const auto& c : s.coordinates) {
        out += c.name + ' ' + std::to_string(c.position.value) + ' ' + std::to_string(c.velocity.value) + '\n';
        add(c.rate);
    }
    for (const auto& m : s.mass)
        add(m.value);
    for (const auto& f : s.force)
        add(f);
    for (const auto& g : s.constraints)
        add(g.g);
    for (const auto* e : {&s.kinetic, &s.potential, &s.power})
        add(*e);
    return out;
}

void checkMass(const model::ConstrainedSystem& s)
{
    for (const auto& m : s.mass) {
        check(m.row >= 0 && m.column >= 0 && m.row < s.n() && m.column < s.n(), "places of M lie in M",
              std::to_string(m.row) + ", " + std::to_string(m.column));
        bool mirrored = false;
        for (const auto& other : s.mass)
            mirrored = mirrored || (other.row == m.column && other.column == m.row && other.value.sameAs(m.value));
        check(mirrored, "M is symmetric", expr::printShort(m.value));
    }
}

void checkNames(const model::ConstrainedSystem& s)
{
    const auto means = [&](const std::string& name, model::TargetKind kind, std::size_t index) {
        const auto target = model::resolveName(s, name);
        check(target.ok() && target->kind == kind && target->index == static_cast<int>(index),
              "a full name means what it names", name + (target ? " -> " + target->fullName : ": " + target.error().text()));
    };
    for (std::size_t i = 0; i < s.coordinates.size(); ++i)
        means(s.coordinates[i].name, model::TargetKind::Position, i);
    for (std::size_t i = 0; i < s.parameters.size(); ++i)
        means(s.parameters[i].quantity.name, model::TargetKind::Parameter, i);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    const auto read = model::readModel(text, "input.toml", modelLimits());
    if (!read) {
        check(!read.error().what.empty(), "a refusal says what is wrong", text);
        return 0;
    }
    const model::Model& m = **read;
    check(m.text == text, "a model keeps its text", m.text);
    const auto again = model::readModel(text, "input.toml", modelLimits());
    check(again.ok() && written((*again)->system) == written(m.system), "the same text is the same model", written(m.system));
    check(model::ModelText::read(text, "input.toml").ok(), "the text of a model can be edited", text);
    check(static_cast<int>(m.system.force.size()) == m.system.n(), "a force for each coordinate", text);
    checkMass(m.system);
    checkNames(m.system);
    const auto compiled = model::CompiledSystem::compile(*read);
    if (compiled)
        if (const auto refused = model::checkParameters(m, (*compiled)->defaultParameters()))
            fail("values from the file are allowed", refused->text());
    if (const PowerBalance balance(m.system); balance.applies())
        balance.check(Drawn(text), text);
    return 0;
}
