#include "ui/document/RunControl.h"

#include <algorithm>
#include <cmath>

#include "ui/document/NumberText.h"
#include "ui/document/RunCommands.h"

namespace driftless::ui {

namespace {

constexpr const char* kBasisOption = "basis"; ///< of the forms with numeric bases

Diagnostic eightAlready()
{
    return {.what = "There are already eight runs",
            .why = "more could not be told apart by their colours",
            .remedy = "remove a run first"};
}

Diagnostic badParameter(const model::Quantity& quantity, double value)
{
    return {.what = quantity.name + " cannot be " + numberText(value).toStdString(),
            .where = quantity.name,
            .why = quantity.positive ? "it has to stay above zero" : "it has to be a number",
            .remedy = "choose another value"};
}

} // namespace

bool hasBasis(const formulation::FormulationInfo& info)
{
    return std::ranges::any_of(info.options, [](const auto& option) { return option.name == kBasisOption; });
}

RunControl::RunControl(OpenBench& open, const LookBack& lookBack, History& history, MessageLog& messages)
    : open_(open), lookBack_(lookBack), history_(history), messages_(messages), acts_(open)
{
    QObject::connect(&open_, &OpenBench::branched, &history_, &History::cutAt);
    QObject::connect(&open_, &OpenBench::rewound, &history_, &History::rewound);
}

void RunControl::push(DocumentCommand* command) { history_.push(command, open_.bench().document(), Opens::SameDocument); }

QString RunControl::nameOf(int key) const
{
    const RunEntry* entry = open_.find(key);
    return entry ? entry->name : QString();
}

// --- runs ---

bool RunControl::addRun(const run::RunSettings& settings)
{
    if (!open_.hasModel())
        return false;
    const std::size_t place = open_.runs().size();
    if (place >= static_cast<std::size_t>(RunList::kMost)) {
        messages_.say(eightAlready());
        return false;
    }
    RunEntry entry;
    entry.key = open_.freshKey();
    entry.colour = open_.bench().runs().freeColour();
    entry.name = tr("Run %1").arg(entry.colour + 1);
    if (!messages_.say(acts_.insert(entry, settings, place)))
        return false;
    push(new RunCommand({acts_, messages_}, open_, {*open_.find(entry.key), settings}, place, true,
                        tr("add %1").arg(entry.name)));
    return true;
}

bool RunControl::duplicateRun(int key) { return open_.find(key) && addRun(lookBack_.status(key).settings); }

bool RunControl::removeRun(int key)
{
    const RunEntry* entry = open_.find(key);
    if (!entry)
        return false;
    const RunEntry copy = *entry;
    std::size_t place = 0;
    const auto settings = acts_.take(key, place);
    push(new RunCommand({acts_, messages_}, open_, {copy, settings}, place, false, tr("remove %1").arg(copy.name)));
    return true;
}

// --- live changes ---

bool RunControl::change(int key, const run::CommandPayload& before, const run::CommandPayload& after, const QString& text,
                        const QString& gesture)
{
    const std::vector<int> keys = key >= 0 ? std::vector{key} : acts_.allKeys();
    run::RunSettings left;
    if (key >= 0)
        left = lookBack_.status(key).settings;
    const auto done = acts_.issue(keys, after);
    if (!done) {
        messages_.say(done.error());
        for (const int k : keys)
            emit open_.settingsChanged(k); // controls show again what holds
        emit open_.parametersChanged();
        return false;
    }
    auto* command = new ChangeCommand({acts_, messages_}, key, before, after, gesture, text, *done);
    if (std::holds_alternative<run::SetFormulation>(after))
        command->keep(std::move(left));
    push(command);
    return true;
}

bool RunControl::setFormulation(int key, const QString& id)
{
    const auto now = lookBack_.status(key).settings.formulation;
    if (!open_.find(key) || now == id.toStdString())
        return true;
    return change(key, run::SetFormulation{now}, run::SetFormulation{id.toStdString()},
                  tr("%1: formulation %2").arg(nameOf(key), id), {});
}

bool RunControl::setIntegrator(int key, const QString& id)
{
    const auto now = lookBack_.status(key).settings.integrator;
    if (!open_.find(key) || now == id.toStdString())
        return true;
    return change(key, run::SetIntegrator{now}, run::SetIntegrator{id.toStdString()},
                  tr("%1: integrator %2").arg(nameOf(key), id), {});
}

bool RunControl::setOptions(int key, const integrate::IntegratorOptions& options, const QString& gesture)
{
    if (!open_.find(key))
        return false;
    if (auto valid = options.check(); !valid) {
        messages_.say(valid.error());
        emit open_.settingsChanged(key);
        return false;
    }
    const auto settings = lookBack_.status(key).settings;
    const auto* method = integrate::findIntegrator(settings.integrator);
    QString text = tr("%1: step %2 s").arg(nameOf(key), numberText(options.step));
    if (options.parameter != settings.options.parameter && method)
        text = tr("%1: %2 %3").arg(nameOf(key), QString::fromStdString(method->parameter.name), numberText(options.parameter));
    else if (method && method->adaptive)
        text = tr("%1: tolerance %2").arg(nameOf(key), numberText(options.relativeTolerance));
    return change(key, run::SetOptions{settings.options}, run::SetOptions{options}, text, gesture);
}

bool RunControl::setPivot(int key, const run::PivotChoice& pivot)
{
    if (!open_.find(key))
        return false;
    QStringList names;
    for (const auto& name : pivot.dummies)
        names << QString::fromStdString(name);
    const QString text =
        pivot.automatic ? tr("%1: automatic pivoting").arg(nameOf(key)) : tr("%1: pin %2").arg(nameOf(key), names.join(", "));
    return change(key, run::SetPivot{lookBack_.status(key).settings.pivot}, run::SetPivot{pivot}, text, {});
}

bool RunControl::setGain(int key, const QString& name, double value, const QString& gesture)
{
    if (!open_.find(key))
        return false;
    const auto gains = lookBack_.status(key).gains;
    const auto now = gains.find(name.toStdString());
    if (now == gains.end())
        return false;
    return change(key, run::SetGain{now->first, now->second}, run::SetGain{now->first, value},
                  tr("%1: %2 = %3").arg(nameOf(key), name, numberText(value)), gesture);
}

bool RunControl::setChoice(int key, const QString& name, const QString& value)
{
    if (!open_.find(key))
        return false;
    const auto settings = lookBack_.status(key).settings;
    const auto* form = formulation::findFormulation(settings.formulation);
    const auto has = [&](const formulation::FormulationOption& option) { return option.name == name.toStdString(); };
    if (!form || std::ranges::none_of(form->info().options, has))
        return false;
    const std::string& now = formulation::optionOf(form->info(), settings.choices, name.toStdString());
    if (now == value.toStdString())
        return true;
    return change(key, run::SetChoice{name.toStdString(), now}, run::SetChoice{name.toStdString(), value.toStdString()},
                  tr("%1: %2 %3").arg(nameOf(key), name, value), {});
}

bool RunControl::renewBasis(int key)
{
    const auto settings = lookBack_.status(key).settings;
    const auto* form = formulation::findFormulation(settings.formulation);
    if (!open_.find(key) || !form || !hasBasis(form->info()))
        return false;
    // The same choice once more: the form starts again here, from bases taken here. No setting changes, so nothing is to undo.
    const run::SetChoice again{kBasisOption, formulation::optionOf(form->info(), settings.choices, kBasisOption)};
    if (auto done = acts_.issue({key}, again); !done) {
        messages_.say(done.error());
        emit open_.settingsChanged(key);
        return false;
    }
    emit history_.changed(); // no entry says that the document is another one now
    return true;
}

bool RunControl::setParameter(const QString& name, double value, const QString& gesture)
{
    if (!open_.hasModel())
        return false;
    const auto& all = open_.bench().system().parameters;
    const auto found = std::ranges::find_if(all, [&](const auto& p) { return p.quantity.name == name.toStdString(); });
    if (found == all.end())
        return false;
    const auto& quantity = found->quantity;
    if (!std::isfinite(value) || (quantity.positive && value <= 0)) {
        messages_.say(badParameter(quantity, value));
        emit open_.parametersChanged();
        return false;
    }
    const double now = lookBack_.parameters()[static_cast<std::size_t>(found - all.begin())];
    if (now == value)
        return true;
    return change(-1, run::SetParameter{quantity.name, now}, run::SetParameter{quantity.name, value},
                  QStringLiteral("%1 = %2 %3").arg(name, numberText(value), QString::fromStdString(quantity.unit)), gesture);
}

bool RunControl::resetParameters()
{
    if (!open_.hasModel())
        return false;
    const auto now = lookBack_.parameters(); // of then, where a change is made while looking back
    std::vector<ParametersCommand::Change> done;
    bool all = true;
    Act act; ///< from before the first to behind the last
    std::size_t place = 0;
    for (const auto& parameter : open_.bench().system().parameters) {
        const double before = now[place++];
        const auto& quantity = parameter.quantity;
        if (before == quantity.value)
            continue;
        const auto issued = acts_.issue(acts_.allKeys(), run::SetParameter{quantity.name, quantity.value});
        if (!issued) {
            messages_.say(issued.error());
            emit open_.parametersChanged();
            all = false;
            break; // what was done stays, and is one entry
        }
        if (done.empty())
            act = *issued;
        act.after = issued->after;
        done.push_back({.before = {quantity.name, before}, .after = {quantity.name, quantity.value}});
    }
    if (!done.empty())
        push(new ParametersCommand({acts_, messages_}, std::move(done), tr("all parameters as in the model"), act));
    return all;
}

bool RunControl::setState(const std::map<std::string, double>& values, const QString& text, const QString& gesture)
{
    if (!open_.hasModel())
        return false;
    auto before = acts_.statesHere();
    std::map<int, run::CommandPayload> after;
    for (const RunEntry& run : open_.runs())
        after[run.key] = run::SetState{values, false};
    const auto done = acts_.issueHere(after);
    if (!done) {
        messages_.say(done.error());
        return false;
    }
    push(new StateCommand({acts_, messages_}, std::move(before), std::move(after), gesture, text, *done));
    return true;
}

} // namespace driftless::ui
