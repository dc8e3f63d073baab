// On a screen of 1024 x 600 every button can be reached, in usual and in large type.
#include <QAbstractButton>
#include <QAction>
#include <QListWidget>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>

#include "tests/support/Draw.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Controls.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

constexpr QSize kWindow{1024, 540}; ///< what title and a bar of the desktop leave
constexpr QSize kDialog{984, 520};

/// The first button of the window that is cut, in words; empty where there is none. What scrolls can be scrolled to.
QString cutButton(const QWidget& window)
{
    for (const auto* button : window.findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->window() != &window || button->size().isEmpty())
            continue;
        bool scrolls = false;
        for (const QWidget* over = button->parentWidget(); over && over != &window; over = over->parentWidget())
            scrolls = scrolls || qobject_cast<const QAbstractScrollArea*>(over);
        const QRect place(button->mapTo(&window, QPoint(0, 0)), button->size());
        if (!scrolls && !window.rect().contains(place))
            return QStringLiteral("%1 (%2) at %3, %4").arg(button->objectName(), button->text()).arg(place.x()).arg(place.y());
    }
    return {};
}

QDialog* opened(Fixture& f, const char* action, const QString& name)
{
    f.window.actionRegistry().at(action).trigger();
    QDialog* dialog = nullptr;
    (void)QTest::qWaitFor([&] { return (dialog = f.window.findChild<QDialog*>(name)) != nullptr && dialog->isVisible(); },
                          10000);
    return dialog;
}

void keep(QWidget& window, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

} // namespace

class TestLowScreen : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    static void sizesOfType()
    {
        QTest::addColumn<bool>("large");
        QTest::newRow("usual type") << false;
        QTest::newRow("large type") << true;
    }

private slots:
    /// A screen of 1920 x 1080 that is scaled by two has 960 x 540 to give.
    void theLeastSizeIsThatOfTheScreen()
    {
        driftless::test::Draw draw(driftless::test::seedOr(46));
        for (int i = 0, count = driftless::test::countOr(5); i < count; ++i) {
            Document document;
            MainWindow window(document);
            const QSize least = window.minimumSize(), room(draw.upTo(640, 1920), draw.upTo(400, 1080));
            fitScreen(window, room);
            QCOMPARE(window.minimumSize(), least.boundedTo(room));
            window.resize(room);
            window.show();
            QTest::qWait(20);
            QCOMPARE(window.size(), room.expandedTo(least.boundedTo(room)));
        }
    }

    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void theWindow_hasItsStatusLineAndItsButtons_data() { sizesOfType(); }
    void theWindow_hasItsStatusLineAndItsButtons()
    {
        QFETCH(bool, large);
        Fixture f(kWindow);
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        f.window.setPresenting(large);
        for (const char* lessons : {"without", "with"}) {
            if (QLatin1String(lessons) == QLatin1String("with"))
                f.window.actionRegistry().at("lessons").trigger();
            QTest::qWait(100);
            QCOMPARE(f.window.size(), kWindow);
            auto* status = f.find<QLabel>("statusLabel");
            QVERIFY(status->isVisible());
            QVERIFY(f.window.rect().contains(QRect(status->mapTo(&f.window, QPoint(0, 0)), status->size())));
            keep(f.window, QStringLiteral("low-%1-%2").arg(lessons).arg(large));
            QVERIFY2(cutButton(f.window).isEmpty(), qPrintable(cutButton(f.window)));
        }
    }

    void everyMenuIsInTheMenuBar_data() { sizesOfType(); }
    void everyMenuIsInTheMenuBar()
    {
        QFETCH(bool, large);
        for (const int width : {1000, 1024, 1280}) {
            Fixture f({width, 600});
            QVERIFY(f.document.opener().openModel("pendulum").ok());
            f.window.setPresenting(large);
            QTest::qWait(100);
            auto* bar = f.find<QMenuBar>("menuBar");
            for (QAction* menu : bar->actions())
                QVERIFY2(bar->rect().contains(bar->actionGeometry(menu)) && bar->actionGeometry(menu).isValid(),
                         qPrintable(menu->text()));
        }
    }

    void dialogsFit_data() { sizesOfType(); }
    void dialogsFit()
    {
        QFETCH(bool, large);
        Fixture f(kWindow);
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        f.window.setPresenting(large);
        const std::pair<const char*, const char*> dialogs[] = {
            {"exportFigure", "comparisonDialog"}, {"arrangeFigure", "figureDialog"}, {"precision", "workPrecisionWindow"}};
        for (const auto& [action, name] : dialogs) {
            QDialog* dialog = opened(f, action, name);
            QVERIFY2(dialog, name);
            dialog->resize(kDialog);
            QTest::qWait(100);
            keep(*dialog, QStringLiteral("low-%1-%2").arg(name).arg(large));
            QVERIFY2(dialog->height() <= kDialog.height() && dialog->width() <= kDialog.width(), name);
            QVERIFY2(cutButton(*dialog).isEmpty(), qPrintable(cutButton(*dialog)));
            for (const auto* button : dialog->findChildren<QPushButton*>())
                QVERIFY2(!button->isVisible() || button->width() >= button->minimumSizeHint().width(),
                         qPrintable(button->text()));
            for (const auto* label : dialog->findChildren<QLabel*>()) // no word is cut
                QVERIFY2(!label->isVisible() || label->text().isEmpty() || label->textFormat() == Qt::RichText
                             || (label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                                   : label->width() >= label->sizeHint().width()),
                         qPrintable(label->text()));
            dialog->close();
        }
    }

    /// A row that grew under the pointer gave its click to another method.
    void rowsOfTheListOfMethods_standStill_andBoxesAreBesideTheNames_data() { sizesOfType(); }
    void rowsOfTheListOfMethods_standStill_andBoxesAreBesideTheNames()
    {
        QFETCH(bool, large);
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.window.setPresenting(large);
        QDialog* window = opened(f, "precision", "workPrecisionWindow");
        QVERIFY(window);
        QTest::qWait(100);
        auto* list = window->findChild<QListWidget*>("workMethods");
        const auto places = [list] {
            QList<QRect> out;
            for (int row = 0; row < list->count(); ++row)
                out << list->visualItemRect(list->item(row));
            return out;
        };
        const auto before = places();
        auto* euler = list->findItems("euler", Qt::MatchExactly).value(0);
        QVERIFY(euler);
        QStyleOptionViewItem option;
        option.initFrom(list);
        option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
        option.rect = list->visualItemRect(euler);
        option.index = list->model()->index(list->row(euler), 0);
        option.widget = list;
        const QRect box = list->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, list);
        const QImage picture = list->viewport()->grab().toImage();
        constexpr int kSeen = 24; // steps of 255 that an eye takes for ink
        const int paper = qGray(picture.pixel(picture.width() - 40, option.rect.center().y()));
        for (int y = option.rect.top(); y <= option.rect.bottom(); ++y) // between the box and the first letter
            for (int x = box.right() + 1; x <= box.right() + 2; ++x)
                QVERIFY2(std::abs(qGray(picture.pixel(x, y)) - paper) < kSeen, qPrintable(QString::number(x)));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, box.center());
        QCOMPARE(euler->checkState(), Qt::Checked);
        QTest::qWait(100);
        QCOMPARE(places(), before);
    }
};

QTEST_MAIN(TestLowScreen)
#include "test_low_screen.moc"
