// What is selected in the editor exists.
#include <QSignalSpy>
#include <QTest>

#include <set>

#include "ui/document/EditSelection.h"

using driftless::ui::EditSelection;
using Ids = std::vector<std::string>;

class TestEditSelection : public QObject {
    Q_OBJECT
private slots:
    void onlyWhatExistsIsSelected()
    {
        std::set<std::string> all{"bar", "disc", "force#2"};
        EditSelection selection([&all](const std::string& id) { return all.contains(id); });
        QSignalSpy changed(&selection, &EditSelection::changed);
        selection.select({"bar", "nobody", "force#2"});
        QCOMPARE(selection.ids(), (Ids{"bar", "force#2"}));
        QVERIFY(selection.contains("force#2") && !selection.contains("nobody") && !selection.contains("disc"));
        QCOMPARE(changed.count(), 1);
        selection.select({"bar", "force#2"});
        QCOMPARE(changed.count(), 1); // nothing changed
        all.erase("bar");
        selection.prune();
        QCOMPARE(selection.ids(), Ids{"force#2"});
        QCOMPARE(changed.count(), 1); // who prunes tells
        selection.select({"bar"});
        QVERIFY(selection.ids().empty());
        QCOMPARE(changed.count(), 2);
    }
};

QTEST_GUILESS_MAIN(TestEditSelection)
#include "test_edit_selection.moc"
