// The rows of a selection of dummies, as modes and commands change what there is to choose.
#include <QtTest>

#include <QPushButton>
#include <QVBoxLayout>

#include "ui/panels/PivotPanel.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

/// The present selection and its exchanges with the coordinates from count dummies on.
std::vector<formulation::PivotCandidate> exchanges(int count, int dummies)
{
    std::vector<formulation::PivotCandidate> out{{-1, -1, 1.0}};
    for (int k = 0; k < count; ++k)
        out.push_back({0, dummies + k, 2.0 + k});
    return out;
}

} // namespace

class TestSelectionList : public QObject {
    Q_OBJECT

private slots:
    /// A heading that comes and goes lays the column out before its rows are there: with a mode that has rows for velocities.
    void rowsComeAndGoInAVisibleColumn()
    {
        const QStringList names{"a.x", "a.y", "a.angle", "b.x", "b.y", "b.angle", "c.x", "c.y"};
        QWidget column;
        auto* layout = new QVBoxLayout(&column);
        auto* list = new SelectionList;
        layout->addWidget(list);
        layout->addStretch(1);
        column.resize(240, 400);
        column.show();
        const auto rows = [&] {
            qsizetype visible = 0;
            for (const QPushButton* button : list->findChildren<QPushButton*>())
                visible += button->isHidden() ? 0 : 1;
            return visible;
        };
        const std::vector<std::pair<QString, int>> steps{{"", 0},           {"Velocities", 4}, {"", 1},
                                                         {"Velocities", 5}, {"Positions", 2},  {"", 5},
                                                         {"Positions", 0},  {"Positions", 4}};
        for (const auto& [heading, count] : steps) {
            list->show(heading, names, {0, 1}, exchanges(count, 2));
            QTRY_COMPARE(rows(), count + 1);
        }
        list->show({}, {}, {}, {});
        QCOMPARE(rows(), 0);
        QVERIFY(list->isHidden());
    }
};

QTEST_MAIN(TestSelectionList)
#include "test_selection_list.moc"
