#include "ui/document/SessionFile.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

#include "core/text/Budget.h"

namespace driftless::ui {

namespace {

constexpr int kLongestName = 200;                 ///< characters of a column or the kind of a plot
constexpr double kSlowest = 1e-3, kFastest = 1e3; ///< simulated seconds per second

/// What the presentation says of a run.
QJsonObject savedRun(const QJsonObject& presentation, run::RunId id)
{
    QJsonObject out;
    for (const auto& value : presentation.value("runs").toArray())
        if (const auto saved = value.toObject(); saved.value("id").toInt(-1) == id.value)
            out = saved;
    return out;
}

std::vector<MeasuredCurves> savedMeasured(const QJsonObject& presentation, const model::ConstrainedSystem& system)
{
    std::vector<MeasuredCurves> out;
    for (const auto& value : presentation.value("measured").toArray()) {
        const QJsonObject saved = value.toObject();
        const QString name = keptRunName(saved.value("name").toString()), text = saved.value("text").toString();
        if (out.size() >= MeasuredCurves::kMost || static_cast<std::size_t>(text.size()) > budget::kMeasuredBytes)
            break;
        if (auto data = MeasuredCurves::read(name, text.toStdString(), name.toStdString(), system))
            out.push_back(std::move(*data));
    }
    return out;
}

QJsonObject plotToJson(const ShownPlot& plot)
{
    const std::string_view word = run::panelWord(plot.kind);
    QJsonObject one{{"shows", QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()))}};
    if (plot.kind == run::PanelKind::Curve)
        one["quantity"] = plot.quantity;
    if (plot.kind == run::PanelKind::Phase) {
        one["x"] = plot.phaseX;
        one["y"] = plot.phaseY;
    }
    return one;
}

/// The plots of the column as an array, as earlier versions read it; that in the place of the scene beside it.
void putPlots(const std::vector<ShownPlot>& plots, QJsonObject& presentation)
{
    QJsonArray column;
    for (const ShownPlot& plot : plots)
        if (plot.inScene)
            presentation["portrait"] = plotToJson(plot);
        else
            column.append(plotToJson(plot));
    if (!column.isEmpty())
        presentation["plots"] = column;
}

} // namespace

std::vector<ShownPlot> savedPlots(const QByteArray& json, QStringList& unknown)
{
    constexpr std::size_t kMost = 8;
    std::vector<ShownPlot> out;
    const auto presentation = QJsonDocument::fromJson(json).object().value("presentation").toObject();
    const auto take = [&](const QJsonObject& saved, bool inScene) {
        const QString word = saved.value("shows").toString().left(kLongestName);
        const auto kind = run::findPanel(word.toStdString());
        if (out.size() >= kMost || static_cast<std::size_t>(unknown.size()) >= kMost)
            return;
        if (!kind) {
            unknown << (word.isEmpty() ? QStringLiteral("?") : word);
            return;
        }
        out.push_back({.kind = *kind,
                       .quantity = saved.value("quantity").toString().left(kLongestName),
                       .phaseX = saved.value("x").toString().left(kLongestName),
                       .phaseY = saved.value("y").toString().left(kLongestName),
                       .inScene = inScene});
    };
    if (const QJsonValue portrait = presentation.value("portrait"); portrait.isObject())
        take(portrait.toObject(), true);
    for (const auto& value : presentation.value("plots").toArray())
        take(value.toObject(), false);
    return out;
}

QByteArray sessionBytes(const Bench& bench, const std::vector<ShownPlot>& plots)
{
    QJsonArray runs;
    for (const RunEntry& run : bench.runs().entries())
        runs.append(QJsonObject{{"id", run.id.value},
                                {"name", run.name},
                                {"colour", run.colour},
                                {"visible", run.visible},
                                {"selected", run.key == bench.runs().selected()},
                                {"reference", run.key == bench.runs().reference()}});
    const auto clock = bench.laboratory().clock();
    QJsonObject presentation{{"t", clock.t}, {"speed", clock.speed}, {"runs", runs}};
    QJsonArray measured;
    for (const MeasuredCurves& data : bench.runs().measured())
        measured.append(QJsonObject{{"name", data.name}, {"text", QString::fromStdString(data.text)}});
    if (!measured.isEmpty())
        presentation["measured"] = measured;
    putPlots(plots, presentation);
    if (bench.typed())
        presentation["typed"] = QString::fromStdString(*bench.typed());
    // Put in as text: the numbers of the log keep every digit.
    QByteArray json = QByteArray::fromStdString(bench.laboratory().sessionJson()).trimmed();
    json.chop(1);
    json += ",\n\"presentation\": " + QJsonDocument(presentation).toJson(QJsonDocument::Compact) + "\n}\n";
    return json;
}

BenchHandle sessionBench(std::unique_ptr<run::Laboratory> laboratory, const QByteArray& json,
                         const std::function<int()>& freshKey)
{
    const auto presentation = QJsonDocument::fromJson(json).object().value("presentation").toObject();
    std::vector<RunEntry> entries;
    int selected = -1, reference = -1, colour = 0;
    for (const run::RunId id : laboratory->runs()) {
        const QString name = QCoreApplication::translate("Document", "Run %1").arg(colour + 1);
        const QJsonObject saved = savedRun(presentation, id);
        const RunEntry entry{.key = freshKey(),
                             .id = id,
                             .name = keptRunName(saved.value("name").toString(name)),
                             .colour = std::clamp(saved.value("colour").toInt(colour), 0, RunList::kMost - 1),
                             .visible = saved.value("visible").toBool(true)};
        if (saved.value("selected").toBool())
            selected = entry.key;
        if (saved.value("reference").toBool())
            reference = entry.key;
        entries.push_back(entry);
        colour = (colour + 1) % RunList::kMost;
    }
    auto bench = std::make_unique<Bench>(std::move(laboratory), entries);
    bench->runs().select(selected);
    bench->runs().setReference(reference);
    bench->runs().setMeasured(savedMeasured(presentation, bench->system()));
    if (const QJsonValue typed = presentation.value("typed"); typed.isString())
        if (std::string text = typed.toString().toStdString(); text.size() <= budget::kModelBytes)
            bench->setTyped(std::move(text));
    bench->laboratory().setSpeed(std::clamp(presentation.value("speed").toDouble(1.0), kSlowest, kFastest));
    return bench;
}

} // namespace driftless::ui
