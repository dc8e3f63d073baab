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

    /// Rows that are cut to the same words cannot be chosen between.
    void rowsThatAreCut_stillDiffer()
    {
        const auto namesShown = [](const QStringList& names, const std::vector<int>& dummies,
                                   const std::vector<formulation::PivotCandidate>& candidates) {
            QWidget column;
            auto* list = new SelectionList;
            (new QVBoxLayout(&column))->addWidget(list);
            column.resize(280, 400);
            column.show();
            list->show({}, names, dummies, candidates);
            QTest::qWait(20);
            QStringList out;
            for (const QPushButton* button : list->findChildren<QPushButton*>())
                if (!button->isHidden())
                    out << button->text().section(QStringLiteral("    κ"), 0, 0).mid(2);
            return out;
        };
        const QString longName = QStringLiteral("the-upper-connecting-rod-of-the-left-leg.");
        const QStringList coordinates{longName + "x", longName + "y", longName + "angle"};
        QStringList one = namesShown(coordinates, {0}, exchanges(2, 1));
        QCOMPARE(one.size(), 3);
        QVERIFY2(one.removeDuplicates() == 0, qPrintable(one.join('\n')));
        const QStringList many{"first-bar.angle", "second-bar.angle", "third-bar.angle", "a.x", "a.y", "b.x", "b.y", "c.x"};
        QStringList two = namesShown(many, {0, 1, 2, 3}, {{-1, -1, 1.0}, {3, 4, 2.0}, {3, 5, 3.0}});
        QCOMPARE(two.size(), 3);
        QVERIFY2(two.removeDuplicates() == 0, qPrintable(two.join('\n')));
        QVERIFY2(two.first().endsWith("a.x"), qPrintable(two.first()));
    }
};

QTEST_MAIN(TestSelectionList)
#include "test_selection_list.moc"
