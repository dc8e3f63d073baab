// The rows being integrated, as the view shows and copies them.
#include <QtTest>

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>

#include "ui/views/EquationView.h"

using namespace driftless;
using namespace driftless::ui;
using formulation::DescribedRow;
using formulation::Provenance;

namespace {

std::vector<DescribedRow> rows(expr::Format format)
{
    const auto written = [format](const char* html, const char* latex, const char* text) {
        if (format == expr::Format::Html)
            return html;
        return format == expr::Format::Latex ? latex : text;
    };
    return {{written("<i>m</i> ẍ = −2 λ x", "m \\ddot{x} = -2 \\lambda x", "m*x'' = -2*lambda*x"), Provenance::Dynamic,
             "bob.x: force balance", "bob", ""},
            {written("x<sup>2</sup> + y<sup>2</sup> = L<sup>2</sup>", "x^{2} + y^{2} = L^{2}", "x^2 + y^2 = L^2"),
             Provenance::Constraint, "rod", "rod", "the constraint rod"},
            {written("2 x ẋ + 2 y ẏ = 0", "2 x \\dot{x} + 2 y \\dot{y} = 0", "2*x*x' + 2*y*y' = 0"),
             Provenance::DifferentiatedOnce, "rod'", "rod", "the constraint rod, differentiated once"}};
}

} // namespace

class TestEquationView : public QObject {
    Q_OBJECT

private slots:
    void rowsCarryTheColourOfTheirProvenance_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void rowsCarryTheColourOfTheirProvenance()
    {
        QFETCH(bool, dark);
        EquationView view;
        view.resize(760, 260);
        view.setDark(dark);
        view.setSource("Run 1: index-2", rows);
        auto* page = view.findChild<QTextBrowser*>("equationPage");
        const auto colourOf = [page](const QString& text) {
            const QTextCursor cursor = page->document()->find(text);
            return cursor.isNull() ? QColor() : cursor.charFormat().foreground().color();
        };
        QCOMPARE(colourOf(QString::fromUtf8("2 x ẋ")), EquationView::colourOf(Provenance::DifferentiatedOnce, dark));
        QCOMPARE(colourOf(QString::fromUtf8("ẍ")), EquationView::colourOf(Provenance::Dynamic, dark));
        // Constraints come first whatever the order of the rows.
        const QString text = page->toPlainText();
        QVERIFY(text.indexOf("Constraints") < text.indexOf("Equations of motion"));
        const QImage image = view.grab().toImage();
        int coloured = 0;
        const QColor wanted = EquationView::colourOf(Provenance::DifferentiatedOnce, dark);
        for (int y = 40; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor c = image.pixelColor(x, y);
                coloured +=
                    std::abs(c.red() - wanted.red()) + std::abs(c.green() - wanted.green()) + std::abs(c.blue() - wanted.blue())
                            < 40
                        ? 1
                        : 0;
            }
        QVERIFY(coloured > 20);
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            image.save(folder + (dark ? "/equations-dark.png" : "/equations-light.png"));
    }

    /// Of all kinds of rows that there are; a stated equation and a constraint stand in no view together and share theirs,
    /// and so do a combination and a stabilised constraint.
    void everyProvenanceHasItsOwnColour()
    {
        for (const bool dark : {false, true}) {
            QSet<QRgb> colours;
            int kinds = 0;
            for (; !formulation::provenanceName(static_cast<Provenance>(kinds)).empty(); ++kinds) {
                const QColor colour = EquationView::colourOf(static_cast<Provenance>(kinds), dark);
                QVERIFY2(colour.isValid(), formulation::provenanceName(static_cast<Provenance>(kinds)).c_str());
                colours << colour.rgb();
            }
            QCOMPARE(kinds, static_cast<int>(Provenance::Combined) + 1);
            QCOMPARE(colours.size(), kinds - 2);
            QCOMPARE(EquationView::colourOf(Provenance::Stated, dark), EquationView::colourOf(Provenance::Constraint, dark));
            QCOMPARE(EquationView::colourOf(Provenance::Combined, dark), EquationView::colourOf(Provenance::Stabilised, dark));
        }
    }

    /// A row of any kind is shown, with its colour in the legend.
    void everyProvenanceIsShown()
    {
        for (int k = 0; k <= static_cast<int>(Provenance::Combined); ++k) {
            EquationView view;
            const auto kind = static_cast<Provenance>(k);
            view.setSource("Run 1", [kind](expr::Format) {
                return std::vector<DescribedRow>{{"x = 1", kind, "row", "bob", "a row of this kind"}};
            });
            const QByteArray name = QByteArray::fromStdString(formulation::provenanceName(kind));
            QVERIFY2(view.findChild<QTextBrowser*>("equationPage")->toPlainText().contains("x = 1"), name.constData());
            QVERIFY2(view.html().contains(EquationView::colourOf(kind, false).name()), name.constData());
        }
    }

    void copiesTextAndLatexByItsButtons()
    {
        EquationView view;
        view.setSource("Run 1", rows);
        view.show();
        QTest::mouseClick(view.findChild<QToolButton*>("copyText"), Qt::LeftButton);
        const QString text = QApplication::clipboard()->text();
        QCOMPARE(text.count('\n'), 3);
        QVERIFY(text.contains("x^2 + y^2 = L^2    # the constraint rod\n"));
        QTest::mouseClick(view.findChild<QToolButton*>("copyLatex"), Qt::LeftButton);
        const QString latex = QApplication::clipboard()->text();
        QVERIFY(latex.startsWith("\\begin{align}\n") && latex.trimmed().endsWith("\\end{align}"));
        QVERIFY(latex.contains("  x^{2} + y^{2} &= L^{2} \\\\\n"));
        QCOMPARE(latex.count('&'), 3);
    }

    void refreshFollowsTheRun()
    {
        bool swapped = false;
        EquationView view;
        view.setSource("Run 1", [&swapped](expr::Format format) {
            auto all = rows(format);
            if (swapped)
                all.push_back({"der(y) = v", Provenance::Link, "link y", "bob", ""});
            return all;
        });
        const QString before = view.html();
        view.refresh();
        QCOMPARE(view.html(), before);
        swapped = true;
        view.refresh();
        QVERIFY(view.html().contains("der(y) = v"));
        view.setSource({}, {});
        QVERIFY(!view.findChild<QTextBrowser*>("equationPage")->toPlainText().isEmpty());
        QVERIFY(!view.findChild<QToolButton*>("copyText")->isEnabled());
    }

    /// Heights are kept by width: another text, another width or another scale must not get the one of before.
    void detailsHaveTheRoomThatTheyNeed()
    {
        EquationView view;
        view.setSource("Run 1", rows);
        view.show();
        auto* details = view.findChild<QLabel*>("formulationDetails");
        const QString word = QStringLiteral("stabilised positions and velocities ");
        for (const int words : {1, 20, 4})
            for (const int width : {760, 420})
                for (const double scale : {1.0, 1.4}) {
                    view.resize(width, 500);
                    view.setScale(scale);
                    view.setDetails(word.repeated(words).trimmed());
                    QCoreApplication::processEvents();
                    QLabel fresh(details->text());
                    fresh.setWordWrap(true);
                    fresh.setFont(details->font());
                    fresh.setTextInteractionFlags(details->textInteractionFlags());
                    QCOMPARE(details->height(), fresh.heightForWidth(details->width()));
                }
    }

    /// Scroll bars are held while the text is replaced; afterwards they are there for what does not fit, and for that alone.
    void aLongPageCanBeScrolled_andAShortOneNeedsNoBar()
    {
        EquationView view;
        view.resize(760, 320);
        view.show();
        const auto page = [](int times) {
            return [times](expr::Format format) {
                std::vector<formulation::DescribedRow> all;
                for (int i = 0; i < times; ++i)
                    for (const auto& row : rows(format))
                        all.push_back(row);
                return all;
            };
        };
        const auto* bar = view.findChild<QTextBrowser*>("equationPage")->verticalScrollBar();
        for (const int times : {20, 1, 20, 20, 1}) {
            view.setSource("Run 1", page(times));
            QCoreApplication::processEvents();
            QCOMPARE(bar->isVisible(), times > 1);
            QCOMPARE(bar->maximum() > 0, times > 1);
        }
    }

    void thePageTurnsToTheDerivation()
    {
        EquationView view;
        view.resize(760, 260);
        view.setSource("Run 1", rows);
        auto* turn = view.findChild<QToolButton*>("showDerivation");
        QVERIFY(turn->isHidden());
        view.setDerivation([](expr::Format format) -> Result<std::vector<model::DerivationSection>> {
            const bool latex = format == expr::Format::Latex;
            return std::vector<model::DerivationSection>{
                {"Mass matrix", "[DN] (3.15)", {{latex ? "M_{11}" : "M_11", "m"}}, "M is symmetric."}};
        });
        view.show();
        auto* page = view.findChild<QTextBrowser*>("equationPage");
        QVERIFY(turn->isVisible() && !page->toPlainText().contains("Mass matrix"));
        QTest::mouseClick(turn, Qt::LeftButton);
        QVERIFY(page->toPlainText().contains("Mass matrix") && page->toPlainText().contains("M_11"));
        QVERIFY(!page->toPlainText().contains("Constraints"));
        QVERIFY(view.asText().contains("M_11 = m") && view.asLatex().contains("M_{11} &= m"));
        QTest::mouseClick(turn, Qt::LeftButton);
        QVERIFY(page->toPlainText().contains("Constraints"));
    }
};

QTEST_MAIN(TestEquationView)
#include "test_equationview.moc"
