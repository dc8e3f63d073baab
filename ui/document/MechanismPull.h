// A gesture that moves a mechanism by hand while it is edited: begin, any number of moves, and one undo entry at the end. The
// mechanism follows as the nearest consistent start to where the pointer wants a point, a body or an angle.
#pragma once

#include <QCoreApplication>
#include <QPointF>

#include <memory>
#include <string>
#include <vector>

#include "ui/document/EditCommit.h"

namespace driftless::ui {

class MechanismPull {
    Q_DECLARE_TR_FUNCTIONS(MechanismPull)
public:
    MechanismPull(const OpenBench& open, const EditedMechanism& mechanism, EditCommit& commit);
    ~MechanismPull();
    MechanismPull(const MechanismPull&) = delete;
    MechanismPull& operator=(const MechanismPull&) = delete;

    /// A point of a body follows the pointer, and the rest of the mechanism follows under its constraints.
    bool beginPull(const std::string& body, QPointF local);
    /// All of these bodies, by the same way.
    bool beginMove(const std::vector<std::string>& bodies);
    bool beginTurn(const std::string& body);

    /// The state that shows the mechanism now; null when nothing is held.
    const model::ModelState* pullTo(QPointF place);
    const model::ModelState* moveBy(QPointF way);
    const model::ModelState* turnTo(double angle);
    /// Whether what is held goes as it is: no joint turns it.
    bool pullsFreely() const;
    /// Which joint stops it; empty while it follows.
    QString held() const;

    bool endPull();
    void cancelPull();

private:
    struct Held;
    bool ask(const std::vector<std::pair<int, double>>& wanted);

    const OpenBench& open_;
    const EditedMechanism& mechanism_;
    EditCommit& commit_;
    std::unique_ptr<Held> pull_;
};

} // namespace driftless::ui
