// label: release
// The equations of a mechanism, written as a model of their own, start where the mechanism does and move as it does.
#include <QtTest>

#include "core/equations/EquationModel.h"
#include "core/equations/EquationWriter.h"
#include "core/reduction/EquationsFrom.h"
#include "core/reduction/Reduced.h"
#include "core/system/ShippedModels.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::unique_ptr<run::Run> made(const std::shared_ptr<const model::CompiledSystem>& system, const char* form, const char* method)
{
    auto run = run::Run::create(system, {}, settings(form, method, 0.001, 1e-9));
    return run ? std::move(*run) : nullptr;
}

} // namespace

class TestEquationsFrom : public QObject {
    Q_OBJECT
private slots:
    void theyMoveAsTheMechanism()
    {
        int moved = 0;
        QStringList wrong;
        for (const std::string& id : model::shippedModelNames()) {
            const auto model = model::openModel(id);
            if (!model || (*model)->system.coordinates.empty() || (*model)->system.coordinates.size() > 9
                || !(*model)->system.oneSided.empty() || !(*model)->system.inputFiles.empty()
                || !(*model)->system.dependent.empty()
                || id == "flat-fourbar") // which begins where its constraints are singular
                continue;
            const auto system = model::CompiledSystem::compile(*model);
            if (!system)
                continue;
            const double end = std::min(0.3, (*model)->run.end);
            auto run = made(*system, "projection", "dop853");
            if (!run)
                continue;
            model::ModelState start;
            start.resize((*system)->n(), (*system)->w());
            run->recording().stateAt(0, start.q.data(), start.v.data(), start.lambda.data());
            if (!run->advanceTo(end))
                continue;
            const std::string text = model::modelicaText(reduction::equationsFrom((*model)->system, start), id);
            const auto stated = model::readEquationModel(text, id + ".mo");
            const auto read =
                stated ? reduction::modelOf(**stated) : Result<std::shared_ptr<const model::Model>>(stated.error());
            const QString name = QString::fromStdString(id);
            if (!read) {
                wrong << name + ": " + QString::fromStdString(read.error().text());
                continue;
            }
            const auto again = model::CompiledSystem::compile(*read);
            auto equations = again ? made(*again, "dummy-derivatives", "radau-9") : nullptr;
            if (!equations || !equations->advanceTo(end)) {
                wrong << name + " does not run as equations";
                continue;
            }
            ++moved;
            for (std::size_t i = 0; i < (*model)->system.coordinates.size(); ++i) {
                const std::string& q = (*model)->system.coordinates[i].name;
                std::string as = (*model)->system.coordinates[i].q.name;
                std::ranges::replace_if(
                    as, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '_'; }, '_');
                const double a = valueOf(*run, q), b = valueOf(*equations, as);
                if (!(std::abs(a - b) <= 1e-5 * (1 + std::abs(a)))) // both methods at 1e-9, and chaos of linkages
                    wrong
                        << name + QStringLiteral(": %1 is %2 and as equations %3").arg(QString::fromStdString(q)).arg(a).arg(b);
            }
        }
        for (const QString& one : wrong)
            qWarning("%s", qPrintable(one));
        QVERIFY(wrong.isEmpty());
        QVERIFY2(moved > 20, qPrintable(QString::number(moved)));
    }
};

QTEST_GUILESS_MAIN(TestEquationsFrom)
#include "test_equations_from.moc"
