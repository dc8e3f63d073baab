#include "ui/views/FigureHistory.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "ui/document/NumberText.h"

namespace driftless::ui {

namespace {

constexpr int kTimeDigits = 4;
constexpr std::size_t kMostEarlier = 4; ///< values or times that are listed; of more the first one and how many there are
constexpr qsizetype kMostMoved = 3;     ///< bodies that are named

QString timeText(double t) { return numberText(t, kTimeDigits) + QStringLiteral(" s"); }

/// A value with the time since which it held.
struct Held {
    double from = 0; ///< [s]
    QString value;
};

/// " (1 m until 12.3 s, 2 m until 14 s)": what was before the last one; empty where nothing was. own: said in the same
/// brackets.
QString earlier(const std::vector<Held>& held, const QString& own = {})
{
    std::vector<Held> changes;
    for (const Held& one : held)
        if (changes.empty() || changes.back().value != one.value)
            changes.push_back(one);
    QStringList out;
    const std::size_t before = changes.empty() ? 0 : changes.size() - 1;
    const std::size_t listed = before > kMostEarlier ? 1 : before;
    for (std::size_t i = 0; i < listed; ++i)
        out << QObject::tr("%1 until %2").arg(changes[i].value, timeText(changes[i + 1].from));
    if (before > listed)
        out << QObject::tr("%1 others until %2").arg(before - listed).arg(timeText(changes.back().from));
    if (!own.isEmpty())
        out << own;
    return out.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(out.join(QStringLiteral(", ")));
}

/// The regimes in force between t0 and t1 [s]. Of several that begin at one time the last one is.
std::vector<const run::Regime*> within(const std::vector<run::Regime>& regimes, double t0, double t1)
{
    std::vector<const run::Regime*> out;
    for (std::size_t k = 0; k < regimes.size(); ++k) {
        if (!out.empty() && regimes[k].from > t1)
            break;
        const bool over = k + 1 < regimes.size() && regimes[k + 1].from <= std::max(t0, regimes[k].from);
        if (!over)
            out.push_back(&regimes[k]);
    }
    return out;
}

/// One number or choice of a form or a method. Those of one name follow each other in time.
struct Piece {
    QString name, sign, value;
    bool usual = false; ///< needs no word where it never was otherwise
};

std::vector<Piece> piecesOfForm(const run::RunSettings& settings)
{
    std::vector<Piece> out;
    const formulation::Formulation* form = formulation::findFormulation(settings.formulation);
    for (const auto& [name, value] : settings.gains)
        out.push_back({QString::fromStdString(name), QStringLiteral(" = "), numberText(value)});
    if (form)
        for (const formulation::FormulationOption& option : form->info().options) {
            const auto set = settings.choices.find(option.name);
            const std::string& value = set == settings.choices.end() ? option.choices.front() : set->second;
            out.push_back({QString::fromStdString(option.name), QStringLiteral(" "), QString::fromStdString(value),
                           value == option.choices.front()});
        }
    QStringList pinned;
    for (const std::string& name : settings.pivot.dummies)
        pinned << QString::fromStdString(name);
    out.push_back({QStringLiteral("pivot"), QStringLiteral(" "),
                   settings.pivot.automatic ? QObject::tr("automatic") : pinned.join(QStringLiteral(", ")),
                   settings.pivot.automatic});
    return out;
}

/// "1e−8" instead of "1e-08", "3e7" instead of "3e+07".
QString tolerance(double value)
{
    QString text = numberText(value);
    for (const char* spare : {"e+0", "e+"})
        text.replace(QLatin1String(spare), QLatin1String("e"));
    return text.replace(QLatin1String("e-0"), QLatin1String("e-")).replace('-', QStringLiteral("−"));
}

std::vector<Piece> piecesOfMethod(const run::RunSettings& settings)
{
    std::vector<Piece> out;
    const QString gap = QStringLiteral(" "), equals = QStringLiteral(" = ");
    const integrate::IntegratorOptions& o = settings.options;
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    if (method && !method->parameter.name.empty()) {
        const double usual = method->parameter.usual, value = o.parameter != 0 ? o.parameter : usual;
        out.push_back({QString::fromStdString(method->parameter.name), equals, numberText(value), value == usual});
    }
    if (method && !method->adaptive) {
        out.push_back({QStringLiteral("h"), equals, quantityText(o.step, QStringLiteral("s"))});
        return out;
    }
    out.push_back({QStringLiteral("rtol"), gap, tolerance(o.relativeTolerance)});
    out.push_back(
        {QStringLiteral("atol"), gap, o.absoluteTolerance > 0 ? tolerance(o.absoluteTolerance) : QStringLiteral("nominal")});
    const bool multipliers = o.multiplierTolerance > 0;
    out.push_back({QObject::tr("atol of multipliers"), gap,
                   multipliers ? tolerance(o.multiplierTolerance) : QObject::tr("as the others"), !multipliers});
    for (const auto& [name, value] : o.tolerances)
        out.push_back({QObject::tr("atol of %1").arg(QString::fromStdString(name)), gap, tolerance(value)});
    out.push_back({QObject::tr("longest step"), gap,
                   o.maxStep > 0 ? quantityText(o.maxStep, QStringLiteral("s")) : QObject::tr("without limit"),
                   !(o.maxStep > 0)});
    return out;
}

const Piece* named(const std::vector<Piece>& pieces, const QString& name)
{
    const auto found = std::ranges::find(pieces, name, &Piece::name);
    return found == pieces.end() ? nullptr : &*found;
}

/// ", h = 0.01 s (0.2 s until 4.6 s)" of pieces that held one after the other. A name that is not there has its usual value.
QString textOf(const std::vector<std::pair<double, std::vector<Piece>>>& history)
{
    std::vector<Piece> names;
    for (const auto& [from, pieces] : history)
        for (const Piece& piece : pieces)
            if (!named(names, piece.name))
                names.push_back(piece);
    QString out;
    for (const Piece& piece : names) {
        std::vector<Held> held;
        bool usual = true;
        for (const auto& [from, pieces] : history) {
            const Piece* then = named(pieces, piece.name);
            held.push_back({from, then ? then->value : QObject::tr("as usual")});
            usual = usual && then && then->usual;
        }
        if (!usual)
            out += QStringLiteral(", ") + piece.name + piece.sign + held.back().value + earlier(held);
    }
    return out;
}

/// What was integrated by one form and one method.
struct FormStretch {
    QString form, ofForm, method, ofMethod;
    QString beginsWith; ///< the method's numbers at its begin
};

FormStretch formStretchOf(const std::vector<const run::Regime*>& regimes)
{
    std::vector<std::pair<double, std::vector<Piece>>> ofForm, ofMethod;
    for (const run::Regime* regime : regimes) {
        ofForm.emplace_back(regime->from, piecesOfForm(regime->settings));
        ofMethod.emplace_back(regime->from, piecesOfMethod(regime->settings));
    }
    return {.form = QString::fromStdString(regimes.front()->settings.formulation),
            .ofForm = textOf(ofForm),
            .method = QString::fromStdString(regimes.front()->settings.integrator),
            .ofMethod = textOf(ofMethod),
            .beginsWith = textOf({ofMethod.front()})};
}

std::vector<Held> valuesHeld(const ExportRun& run, std::size_t parameter, const QString& unit, double t0, double t1)
{
    std::vector<Held> out;
    for (const run::Regime* regime : within(run.regimes, t0, t1))
        if (parameter < regime->parameters.size())
            out.push_back({regime->from, quantityText(regime->parameters[parameter], unit)});
    return out;
}

QString parameterText(const ExportRequest& request, const ExportRun* run, std::size_t place, double t0, double t1)
{
    const ExportParameter& parameter = request.quantities[place];
    auto held = run ? valuesHeld(*run, place, parameter.unit, t0, t1) : std::vector<Held>{};
    if (held.empty())
        held.push_back({t0, quantityText(parameter.value, parameter.unit)});
    const QString usual = quantityText(parameter.usual, parameter.unit);
    if (!request.changedAlone)
        return parameter.name + QStringLiteral(" = ") + held.back().value + earlier(held);
    if (std::ranges::all_of(held, [&](const Held& one) { return one.value == usual; }))
        return {};
    return parameter.name + QStringLiteral(" = ") + held.back().value + earlier(held, QObject::tr("model: %1").arg(usual));
}

const ExportRun* firstWithRegimes(const ExportRequest& request)
{
    const auto found = std::ranges::find_if(request.runs, [](const ExportRun& run) { return !run.regimes.empty(); });
    return found == request.runs.end() ? nullptr : &*found;
}

/// Whether positions or velocities are others after what happened at t: a recording has a row before and a row after it. One
/// that has a single row there cannot tell.
bool movedAt(const run::RecordingView& recording, double t)
{
    constexpr double kSame = 1e-9; // of a state that came back, against the size of its values
    if (recording.empty())
        return true;
    const std::uint64_t last = recording.rowAt(t);
    std::uint64_t first = last;
    while (first > 0 && recording.time(first - 1) == t)
        --first;
    if (first == last)
        return true;
    for (int c = 0; c < recording.columnCount(); ++c) {
        const auto kind = recording.columns()[static_cast<std::size_t>(c)].kind;
        const double before = recording.value(first, c), after = recording.value(last, c);
        if ((kind == run::ColumnKind::Position || kind == run::ColumnKind::Velocity)
            && !(std::abs(after - before) <= kSame * std::max(1.0, std::abs(before))))
            return true;
    }
    return false;
}

/// "bob moved" of bob.x and bob.y, "x moved" of a variable that belongs to no body; the state where there are many.
QString moveText(const run::SetState& set)
{
    QStringList names;
    for (const auto& [name, value] : set.values) {
        const QString full = QString::fromStdString(name);
        const QString owner = full.contains('.') ? full.section('.', 0, -2) : full;
        if (!names.contains(owner))
            names << owner;
    }
    if (set.asRecorded || names.isEmpty() || names.size() > kMostMoved)
        return QObject::tr("state set");
    return QObject::tr("%1 moved").arg(names.join(QStringLiteral(", ")));
}

QString timesText(const std::vector<double>& times)
{
    if (times.size() > kMostEarlier)
        return QObject::tr("%1 times from %2 to %3").arg(times.size()).arg(timeText(times.front()), timeText(times.back()));
    QStringList out;
    for (const double t : times)
        out << timeText(t);
    return QObject::tr("at %1").arg(out.join(QStringLiteral(", ")));
}

} // namespace

QString quantityText(double value, const QString& unit)
{
    if (unit.isEmpty() || unit == QLatin1String("1"))
        return tolerance(value);
    QString shown = unit;
    return tolerance(value) + ' ' + shown.replace('*', QStringLiteral("·"));
}

QString withSigns(const std::string& text)
{
    static const QRegularExpression minus(QStringLiteral("= -")), small(QStringLiteral("(\\d)e-0*(\\d)")),
        large(QStringLiteral("(\\d)e\\+0*(\\d)"));
    QString out = QString::fromStdString(text);
    out.replace(minus, QStringLiteral("= −"));
    out.replace(small, QStringLiteral("\\1e−\\2"));
    return out.replace(large, QStringLiteral("\\1e\\2"));
}

QString legendText(const run::RunSettings& settings, std::uint64_t steps)
{
    ExportRun run;
    run.settings = settings;
    const QString text = methodText(run, 0, 0);
    return steps == 0 ? text : text + QStringLiteral(" · %1 step%2").arg(steps).arg(steps == 1 ? "" : "s");
}

QString methodText(const ExportRun& run, double t0, double t1)
{
    std::vector<run::Regime> only;
    if (run.regimes.empty())
        only.push_back({.settings = run.settings});
    std::vector<std::pair<double, FormStretch>> stretches; // with the time at which each begins
    std::vector<const run::Regime*> alike;
    const auto close = [&] {
        if (!alike.empty())
            stretches.emplace_back(alike.front()->from, formStretchOf(alike));
        alike.clear();
    };
    for (const run::Regime* regime : within(only.empty() ? run.regimes : only, t0, t1)) {
        if (!alike.empty()
            && (alike.front()->settings.formulation != regime->settings.formulation
                || alike.front()->settings.integrator != regime->settings.integrator))
            close();
        alike.push_back(regime);
    }
    close();
    QStringList before;
    for (std::size_t i = 0; i + 1 < stretches.size(); ++i) {
        const FormStretch& s = stretches[i].second;
        const bool goesOn = s.ofMethod == stretches[i + 1].second.beginsWith;
        before << QObject::tr("%1 · %2 until %3")
                      .arg(s.form + s.ofForm, s.method + (goesOn ? QString() : s.ofMethod), timeText(stretches[i + 1].first));
    }
    const FormStretch& last = stretches.back().second;
    const QString text = last.form + last.ofForm + QStringLiteral(" · ") + last.method + last.ofMethod;
    return before.isEmpty() ? text : before.join(QStringLiteral(", ")) + QObject::tr(", then ") + text;
}

QString movesText(const ExportRun& run, double t0, double t1)
{
    std::vector<std::pair<QString, std::vector<double>>> moves;
    for (const run::Event& event : run.events) {
        const auto* done = event.as<run::CommandDone>();
        const auto* set = done ? std::get_if<run::SetState>(&done->payload) : nullptr;
        if (!set || event.t < t0 || event.t > t1 || !movedAt(run.plot.recording, event.t))
            continue;
        const QString name = moveText(*set);
        auto found = std::ranges::find(moves, name, &std::pair<QString, std::vector<double>>::first);
        if (found == moves.end())
            found = moves.insert(moves.end(), {name, {}});
        if (found->second.empty() || found->second.back() != event.t)
            found->second.push_back(event.t);
    }
    QStringList out;
    for (const auto& [name, times] : moves)
        out << QObject::tr("%1 by hand %2").arg(name, timesText(times));
    return out.join(QStringLiteral(", "));
}

QStringList parameterTexts(const ExportRequest& request, double t0, double t1)
{
    QStringList out = request.parameters;
    const ExportRun* first = firstWithRegimes(request);
    for (std::size_t i = 0; i < request.quantities.size(); ++i)
        if (const QString text = parameterText(request, first, i, t0, t1); !text.isEmpty())
            out << text;
    return out;
}

QStringList otherParameterTexts(const ExportRequest& request, const ExportRun& run, double t0, double t1)
{
    QStringList out;
    const ExportRun* first = firstWithRegimes(request);
    if (!first || first == &run || run.regimes.empty())
        return out;
    for (std::size_t i = 0; i < request.quantities.size(); ++i) {
        const QString& unit = request.quantities[i].unit;
        const auto own = valuesHeld(run, i, unit, t0, t1), theirs = valuesHeld(*first, i, unit, t0, t1);
        if (own.empty() || theirs.empty())
            continue;
        const QString text = own.back().value + earlier(own);
        if (text != theirs.back().value + earlier(theirs))
            out << request.quantities[i].name + QStringLiteral(" = ") + text;
    }
    return out;
}

std::uint64_t stepsUntil(const ExportRun& run, double t)
{
    const run::RecordingView& view = run.plot.recording;
    const run::RunSettings& settings = run.regimes.empty() ? run.settings : run.regimes.back().settings;
    if (view.empty() || settings.rows != run::Rows::EveryStep || view.rowCount() != view.stepCount())
        return 0;
    std::uint64_t steps = 0;
    for (std::uint64_t row = view.rowAt(view.firstTime()), last = view.rowAt(t); row < last; ++row)
        steps += view.time(row + 1) > view.time(row); // an event has a row of its own
    return steps;
}

} // namespace driftless::ui
