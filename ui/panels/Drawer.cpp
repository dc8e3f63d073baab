#include "ui/panels/Drawer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

#include "ui/panels/FormulationList.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/RunCard.h"
#include "ui/panels/StartPage.h"
#include "ui/panels/StructurePage.h"
#include "ui/views/EquationView.h"

namespace driftless::ui {

Drawer::Drawer(Document& document, QWidget* parent) : QTabWidget(parent), document_(document)
{
    setObjectName("drawer");
    setDocumentMode(true);
    equations_ = new EquationView;
    equations_->setObjectName("equations");
    connect(equations_, &EquationView::notationAsked, this, &Drawer::notationAsked);
    add(equations_, "equations", tr("Equations"));
    structure_ = new StructurePage(document_);
    add(structure_, "structure", tr("Structure"));
    model_ = new ModelPage(document_);
    add(model_, "model", tr("Model"));
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // its words and buttons have the keys
    messages_ = new QWidget;
    messages_->setObjectName("messages");
    messageList_ = new QVBoxLayout(messages_);
    messageList_->setContentsMargins(12, 8, 12, 8);
    messageList_->setSpacing(8);
    scroll->setWidget(messages_);
    messagePage_ = scroll;
    add(scroll, "messages", tr("Messages"));
    start_ = new StartPage(document_);
    add(start_, "start", tr("Start"));
    connect(start_, &StartPage::diagnosed, this, &Drawer::correctionChanged);
}

void Drawer::add(QWidget* page, const char* id, const QString& title)
{
    page->setProperty("page", QString::fromLatin1(id));
    addTab(page, title);
}

bool Drawer::showPage(const QString& id)
{
    for (int i = 0; i < count(); ++i)
        if (widget(i)->property("page").toString() == id) {
            setCurrentIndex(i);
            return true;
        }
    return false;
}

void Drawer::setTheme(const Theme& theme, double scale)
{
    equations_->setDark(theme.dark);
    equations_->setScale(scale);
    structure_->setTheme(theme, scale);
    model_->setTheme(theme, scale);
    start_->setScale(scale);
    start_->refresh();
}

void Drawer::rebuild()
{
    model_->rebuild();
    equationsKey_.clear();
    const auto system = document_.bench().compiledHandle();
    EquationView::Derivation derivation;
    if (system && system->n() > 0) // a text of equations has no energies
        derivation = [system](expr::Format format) -> Result<std::vector<model::DerivationSection>> {
            const model::ConstrainedSystem& stated = system->system();
            const auto derived = model::deriveLagrangian(stated);
            if (!derived)
                return derived.error();
            return model::describeDerivation(stated, *derived, model::checkSkewSymmetry(*derived, stated.parameters), format);
        };
    equations_->setDerivation(std::move(derivation));
    start_->rebuild();
    structure_->rebuild();
    refreshEquations();
}

void Drawer::refreshEquations()
{
    structure_->refresh();
    const RunEntry* run = document_.find(document_.bench().selected());
    if (run && (!isVisible() || currentWidget() != equations_))
        return;
    if (!run) { // nothing is integrated, and what was before belongs to another model
        if (const QString none = QStringLiteral("-"); std::exchange(equationsKey_, none) == none)
            return;
        equations_->setDetails({});
        equations_->setSource(document_.hasModel() ? tr("Nothing is integrated yet.") : QString(), {});
        return;
    }
    const auto status = document_.shown(run->key);
    const auto* form = formulation::findFormulation(status.settings.formulation);
    const QString title = form ? QString::fromStdString(form->info().title) : QString();
    const QString whose = document_.lookBack().differs(run->key) ? tr("%1 then").arg(run->name) : run->name;
    const QString mode = status.mode.empty() ? QString() : tr(" (mode: %1)").arg(QString::fromStdString(status.mode));
    const QString shown = QStringLiteral("%1: %2%3").arg(whose, title, mode);
    QString key = shown + QString::number(run->key);
    for (const auto& [name, value] : status.settings.choices)
        key += QString::fromStdString("/" + name + "=" + value);
    if (key != equationsKey_) {
        equationsKey_ = key;
        equations_->setDetails(formulationDetails(status, document_.compiled().model().equations != nullptr));
        equations_->setSource(shown, [this, of = run->key](expr::Format format) {
            const RunEntry* entry = document_.find(of);
            return entry ? document_.lookBack().equations(of, format) : std::vector<formulation::DescribedRow>{};
        });
    } else if (status.dummies == dummies_ && status.positionDummies == positionDummies_) {
        return;
    }
    dummies_ = status.dummies;
    positionDummies_ = status.positionDummies;
    equations_->refresh();
}

void Drawer::parametersChanged() { start_->refresh(); }

const consistency::Diagnosis* Drawer::correction() const { return start_->diagnosis(); }

void Drawer::showMessages()
{
    while (auto* item = messageList_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto all = document_.messages().of(document_.hasModel() ? document_.bench().bench().document() : 0);
    setTabText(indexOf(messagePage_), all.empty() ? tr("Messages") : tr("Messages (%1)").arg(all.size()));
    if (all.empty()) {
        auto* none = new QLabel(tr("No messages. A run that stops and a change that is refused say here why, and what to do."));
        none->setProperty("role", "secondary");
        messageList_->addWidget(none);
    }
    for (auto message = all.rbegin(); message != all.rend(); ++message) {
        auto* row = new QWidget;
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        const RunEntry* run = document_.find(message->runKey);
        const auto& d = message->diagnostic;
        auto* label = new QLabel(QStringLiteral("%1 s  %2%3\n%4")
                                     .arg(message->t, 0, 'f', 2)
                                     .arg(run ? run->name + ": " : QString(), QString::fromStdString(d.what), explained(d)));
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        layout->addWidget(label, 1);
        if (run && document_.status(run->key).state == run::RunState::Failed) {
            const auto remedy = remedyFor(document_.shown(run->key));
            auto* button = new QPushButton(remedy.text);
            connect(
                button, &QPushButton::clicked, this, [this, key = run->key, act = remedy.act] { act(document_, key); },
                Qt::QueuedConnection);
            layout->addWidget(button, 0, Qt::AlignTop);
        }
        messageList_->addWidget(row);
    }
    messageList_->addStretch(1);
}

} // namespace driftless::ui
