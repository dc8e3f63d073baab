// Numbers of a mechanism that are changed with handles: masses, stiffnesses, lengths at rest and of rods. What the table writes
// as a parameter is that parameter's value; an expression has no number of its own to change.
#include <algorithm>
#include <cmath>

#include "ui/document/Document.h"
#include "ui/document/MechanismEditor.h"

namespace driftless::ui {

using model::ModelText;
using model::TomlKind;
using model::TomlValue;

namespace {

constexpr int kDeepestChain = 16; ///< a parameter that is another one

const TomlValue* member(const TomlValue* table, std::string_view key)
{
    const model::TomlEntry* entry = table && table->kind == TomlKind::Table ? table->find(key) : nullptr;
    return entry ? &entry->value : nullptr;
}

bool isName(std::string_view text)
{
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front()))
           && std::all_of(text.begin(), text.end(),
                          [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

std::string trimmed(const std::string& text)
{
    const auto from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
    return from == std::string::npos ? std::string() : text.substr(from, to - from + 1);
}

} // namespace

std::optional<EditQuantity> MechanismEditor::quantity(const std::string& id, const std::string& path) const
{
    const ModelText::Place* place = placeOf(id);
    const TomlValue* table = place ? text_->table(place->kind, place->number) : nullptr;
    if (!table || member(table, "count"))
        return std::nullopt;
    EditQuantity out;
    out.id = id;
    out.path = path;
    out.unit = path == "mass" ? "kg" : path == "stiffness" ? "N/m" : "m";
    out.zero = path != "mass" && place->kind == "force"; // a spring may be slack, or pull from no length
    const TomlValue* written = member(table, path);
    if (!written) { // at rest at no length, unless the table says otherwise
        const bool spring = path == "length" && member(table, "stiffness");
        return spring ? std::optional(out) : std::nullopt;
    }
    const auto value = geometry_.value(*written);
    if (!value)
        return std::nullopt;
    out.value = *value;
    for (int step = 0; written->kind == TomlKind::String && step < kDeepestChain; ++step) {
        const std::string name = trimmed(written->text);
        const TomlValue* stated = isName(name) ? member(member(&text_->root(), "parameters"), name) : nullptr;
        if (stated && stated->kind == TomlKind::Table)
            stated = member(stated, "value");
        if (!stated) {
            out.expression = written->text;
            break;
        }
        out.parameter = name;
        written = stated;
    }
    if (!out.parameter.empty())
        for (const auto& p : document_.system().system().parameters)
            if (p.quantity.name == out.parameter) {
                out.least = std::max(out.least, p.quantity.minimum);
                out.most = p.quantity.maximum;
                out.zero = out.zero && !p.quantity.positive;
            }
    return out;
}

bool MechanismEditor::canSet(const EditQuantity& quantity)
{
    if (quantity.expression.empty())
        return true;
    const ModelText::Place* place = placeOf(quantity.id);
    return refuse("The " + quantity.path + " of " + (place ? place->words() : quantity.id)
                      + " cannot be changed with the mouse",
                  (quantity.parameter.empty() ? "it is" : "its parameter " + quantity.parameter + " is") + " the expression \""
                      + quantity.expression + "\"",
                  "change a parameter in it, or write a number in its place");
}

bool MechanismEditor::setQuantity(const EditQuantity& quantity, double value)
{
    const ModelText::Place* place = placeOf(quantity.id);
    if (!place || !canSet(quantity) || !std::isfinite(value))
        return false;
    value = std::clamp(value, quantity.least, quantity.most);
    if (!(value > 0) && !quantity.zero)
        return refuse("The " + quantity.path + " of " + place->words() + " must be above zero", "", "pull its handle less far");
    ModelText text = *text_;
    const QString what = tr("%1 of %2")
                             .arg(QString::fromStdString(quantity.path),
                                  QString::fromStdString(place->name.empty() ? place->words() : place->name));
    const std::string written = model::tomlNumber(value);
    Result<void> done;
    if (!quantity.parameter.empty()) {
        done = text.setParameter(quantity.parameter, written);
    } else {
        std::vector<ModelText::FieldChange> changes{{place->kind, place->number, quantity.path, written}};
        const TomlValue* inertia = member(text_->table(place->kind, place->number), "inertia");
        if (quantity.path == "mass" && inertia && inertia->isNumber() && quantity.value > 0) // the same shape, heavier
            changes.push_back(
                {place->kind, place->number, "inertia", model::tomlNumber(inertia->number * value / quantity.value)});
        done = text.setFields(changes);
    }
    if (done && quantity.path == "length")
        assemble(text);
    return commitResult(done, text, what, {quantity.id});
}

} // namespace driftless::ui
