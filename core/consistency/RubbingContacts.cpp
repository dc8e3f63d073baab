#include "core/consistency/RubbingContacts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Combination = std::vector<Touch>;

constexpr int kMostCombinations = 20'000; ///< five contacts at rest have 3125
constexpr double kIndependent = 1e-9;     ///< a pivot of the scaled matrix below this is round-off of rows that repeat others
constexpr double kLocated = 1e3;          ///< what has been let go is at its limit to the time that was located
constexpr double kRoundOff = 1e-13;       ///< of [w] M^-1 [w]^T: below this two contacts do not act on each other
constexpr std::size_t kMostSelected = 8;  ///< contacts of a group of which all selections are tried
constexpr double kOther = 1e-6;           ///< forces that differ by more are another solution

double sideOf(Touch touch) { return touch == Touch::Forwards ? 1.0 : (touch == Touch::Backwards ? -1.0 : 0.0); }

class Search {
public:
    Search(const MatrixXd& A, const VectorXd& b, const std::vector<RubbingContact>& contacts, double tolerance)
        : contacts_(contacts), scale_(VectorXd::Ones(A.rows()))
    {
        for (Index i = 0; i < A.rows(); ++i)
            if (A(i, i) > 0)
                scale_(i) = 1 / std::sqrt(A(i, i));
        A_ = scale_.asDiagonal() * A * scale_.asDiagonal();
        b_ = scale_.cwiseProduct(b);
        zero_ = scale_.size() > 0 ? tolerance * scale_.maxCoeff() : 0;
    }

    RubbingForces run()
    {
        RubbingForces out;
        std::vector<Combination> choices;
        double count = 1;
        const bool letGo = std::any_of(contacts_.begin(), contacts_.end(), [](const RubbingContact& c) { return c.letGo; });
        for (const RubbingContact& c : contacts_) {
            choices.push_back(choicesOf(c));
            // A side that touches without a force must not hold back for a moment what has just been let go.
            if (letGo && (!c.letGo || c.byPair) && c.slip == 0)
                openFirst(choices.back());
            count *= static_cast<double>(choices.back().size());
        }
        if (count > kMostCombinations) {
            out.end = RubbingForces::End::TooMany;
            return out;
        }
        if (!firstOf(choices, out.touch, out.z)) {
            nameParadox(out);
            return out;
        }
        out.end = RubbingForces::End::Found;
        lookForOther(out);
        out.z = scale_.cwiseProduct(out.z).eval();
        return out;
    }

private:
    static Combination choicesOf(const RubbingContact& c)
    {
        if (c.tangent < 0)
            return {Touch::Pushes, Touch::Open};
        if (c.slip != 0)
            return {c.slip > 0 ? Touch::Forwards : Touch::Backwards, Touch::Open};
        if (c.letGo)
            return {Touch::Forwards, Touch::Backwards, Touch::Open, Touch::Sticks, Touch::Shares};
        return {Touch::Sticks, Touch::Shares, Touch::Forwards, Touch::Backwards, Touch::Open};
    }

    static void openFirst(Combination& choices)
    {
        const auto open = std::ranges::find(choices, Touch::Open);
        std::rotate(choices.begin(), open, open + 1);
    }

    /// The first combination that meets its conditions, the last contact changing first.
    bool firstOf(const std::vector<Combination>& choices, Combination& touch, VectorXd& z) const
    {
        std::vector<std::size_t> at(choices.size(), 0);
        for (;;) {
            touch.clear();
            for (std::size_t i = 0; i < at.size(); ++i)
                touch.push_back(choices[i][at[i]]);
            if (meets(touch, z))
                return true;
            std::size_t k = at.size();
            while (k > 0 && ++at[k - 1] == choices[k - 1].size())
                at[--k] = 0;
            if (k == 0)
                return false;
        }
    }

    /// F for each N of a contact that slides, in scaled forces.
    double sliding(std::size_t i, Touch touch) const
    {
        const RubbingContact& c = contacts_[i];
        return -sideOf(touch) * c.friction * scale_(static_cast<Index>(i)) / scale_(c.tangent);
    }

    bool bearerStands(const Combination& touch, std::size_t i) const
    {
        for (std::size_t k = 0; k < touch.size(); ++k)
            if (touch[k] == Touch::Sticks && contacts_[k].pair == contacts_[i].pair)
                return true;
        return false;
    }

    /// Whether the normals of this combination hold its slip, as those of floor and wall do in a corner, or joints do: then it
    /// sticks by itself and bears nothing.
    bool slipIsHeld(const Combination& touch, std::size_t i) const
    {
        const auto t = static_cast<Index>(contacts_[i].tangent);
        if (!(A_(t, t) > 0))
            return true;
        std::vector<Index> normals;
        for (std::size_t k = 0; k < touch.size(); ++k)
            if (touch[k] != Touch::Open)
                normals.push_back(static_cast<Index>(k));
        Eigen::FullPivLU<MatrixXd> lu(MatrixXd(A_(normals, normals)));
        lu.setThreshold(kIndependent);
        const VectorXd along = A_(normals, std::vector<Index>{t});
        return lu.isInvertible() && A_(t, t) - along.dot(solve::solution(lu, along)) <= kIndependent;
    }

    bool forces(const Combination& touch, VectorXd& z) const
    {
        std::vector<Index> rows;
        MatrixXd columns = MatrixXd::Zero(A_.rows(), A_.rows());
        for (std::size_t i = 0; i < touch.size(); ++i) {
            const auto normal = static_cast<Index>(i), tangent = static_cast<Index>(contacts_[i].tangent);
            if (touch[i] == Touch::Open)
                continue;
            columns(normal, static_cast<Index>(rows.size())) = 1;
            if (sideOf(touch[i]) != 0)
                columns(tangent, static_cast<Index>(rows.size())) = sliding(i, touch[i]);
            rows.push_back(normal);
            if (touch[i] != Touch::Sticks)
                continue;
            columns(tangent, static_cast<Index>(rows.size())) = 1;
            rows.push_back(tangent);
        }
        const auto size = static_cast<Index>(rows.size());
        z = VectorXd::Zero(A_.rows());
        if (size == 0)
            return true;
        MatrixXd K(size, size);
        VectorXd right(size);
        const MatrixXd pushed = A_ * columns.leftCols(size);
        for (Index r = 0; r < size; ++r) {
            K.row(r) = pushed.row(rows[static_cast<std::size_t>(r)]);
            right(r) = -b_(rows[static_cast<std::size_t>(r)]);
        }
        Eigen::FullPivLU<MatrixXd> lu(K);
        lu.setThreshold(kIndependent);
        if (!lu.isInvertible())
            return false;
        z = columns.leftCols(size) * solve::solution(lu, right);
        return z.allFinite();
    }

    bool meets(const Combination& touch, VectorXd& z) const
    {
        for (std::size_t i = 0; i < touch.size(); ++i)
            if (touch[i] == Touch::Shares && !bearerStands(touch, i) && !slipIsHeld(touch, i))
                return false;
        if (!forces(touch, z))
            return false;
        const VectorXd w = A_ * z + b_;
        const double zero = std::max(zero_, kIndependent * z.cwiseAbs().maxCoeff());
        for (std::size_t i = 0; i < touch.size(); ++i) {
            const auto normal = static_cast<Index>(i), tangent = static_cast<Index>(contacts_[i].tangent);
            if (touch[i] == Touch::Open ? w(normal) < -zero : z(normal) < -zero)
                return false;
            if (touch[i] == Touch::Shares && std::abs(w(tangent)) > zero)
                return false;
            const double slow = contacts_[i].letGo ? kLocated * zero : zero;
            if (sideOf(touch[i]) != 0 && contacts_[i].slip == 0 && sideOf(touch[i]) * w(tangent) < -slow)
                return false;
            if (touch[i] == Touch::Sticks && std::abs(z(tangent)) > limit(touch, z, i) + zero)
                return false;
        }
        return true;
    }

    /// Both slip alike: feet on one floor, and not the two sides of a corner.
    bool parallel(std::size_t i, std::size_t k) const
    {
        return A_(contacts_[i].tangent, contacts_[k].tangent) > 1 - kIndependent;
    }

    /// Of what sticks at i, with those that share its row.
    double limit(const Combination& touch, const VectorXd& z, std::size_t i) const
    {
        double out = 0;
        for (std::size_t k = 0; k < touch.size(); ++k)
            if (k == i || (touch[k] == Touch::Shares && contacts_[k].pair == contacts_[i].pair && parallel(i, k)))
                out +=
                    contacts_[k].grip * z(static_cast<Index>(k)) * scale_(static_cast<Index>(k)) / scale_(contacts_[i].tangent);
        return out;
    }

    /// N + C f of a contact that slides.
    double response(std::size_t i) const
    {
        const RubbingContact& c = contacts_[i];
        const auto n = static_cast<Index>(i);
        return A_(n, n) + A_(n, c.tangent) * sliding(i, c.slip > 0 ? Touch::Forwards : Touch::Backwards);
    }
    bool moves(std::size_t i) const { return contacts_[i].tangent >= 0 && contacts_[i].slip != 0; }
    void name(std::size_t i, RubbingForces& out) const
    {
        out.named = static_cast<int>(i);
        out.response = response(i) / (scale_(static_cast<Index>(i)) * scale_(static_cast<Index>(i)));
    }

    void nameParadox(RubbingForces& out) const
    {
        for (std::size_t i = 0; i < contacts_.size(); ++i)
            if (moves(i) && (out.named < 0 || response(i) < response(static_cast<std::size_t>(out.named))))
                name(i, out);
    }

    /// Another solution, in which a contact that moves is open instead of pushing, or the reverse.
    void lookForOther(RubbingForces& out) const
    {
        std::vector<Combination> choices;
        for (const Touch touch : out.touch)
            choices.push_back({touch});
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            if (!moves(i) || response(i) > kIndependent)
                continue; // each other contact as it is, this one pushes the less the more it gives way: one solution
            std::vector<Combination> others = choices;
            others[i] = {out.touch[i] == Touch::Open ? choicesOf(contacts_[i]).front() : Touch::Open};
            Combination touch;
            VectorXd z;
            if (!firstOf(others, touch, z)
                || (z - out.z).cwiseAbs().maxCoeff() <= kOther * (zero_ + out.z.cwiseAbs().maxCoeff()))
                continue;
            out.end = RubbingForces::End::Several;
            name(i, out);
            return;
        }
    }

    const std::vector<RubbingContact>& contacts_;
    VectorXd scale_, b_;
    MatrixXd A_;
    double zero_ = 0;
};

/// For each contact the first one that it acts on, by its own force or by others between them.
std::vector<std::size_t> groupsOf(const MatrixXd& A, const std::vector<RubbingContact>& contacts)
{
    std::vector<std::size_t> group(contacts.size());
    for (std::size_t i = 0; i < group.size(); ++i)
        group[i] = i;
    const auto rows = [&](std::size_t i) {
        const auto normal = static_cast<Index>(i), tangent = static_cast<Index>(contacts[i].tangent);
        return std::array{normal, tangent < 0 ? normal : tangent};
    };
    const auto act = [&](std::size_t i, std::size_t k) {
        for (const Index r : rows(i))
            for (const Index c : rows(k))
                if (std::abs(A(r, c)) > kRoundOff * std::sqrt(A(r, r) * A(c, c)))
                    return true;
        return contacts[i].tangent >= 0 && contacts[k].tangent >= 0 && contacts[i].pair == contacts[k].pair;
    };
    for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (group[i] != group[k] && act(i, k)) {
                const auto [first, other] = std::minmax(group[i], group[k]);
                std::replace(group.begin(), group.end(), std::size_t{other}, std::size_t{first});
            }
    return group;
}

/// Some of the contacts, whose rows are put side by side, normals first.
struct Chosen {
    std::vector<std::size_t> members;
    std::vector<Index> rows;
    std::vector<RubbingContact> own;

    Chosen(const std::vector<RubbingContact>& contacts, std::vector<std::size_t> which) : members(std::move(which))
    {
        for (const std::size_t i : members) {
            rows.push_back(static_cast<Index>(i));
            own.push_back(contacts[i]);
        }
        for (RubbingContact& c : own)
            if (c.tangent >= 0) {
                rows.push_back(c.tangent);
                c.tangent = static_cast<int>(rows.size()) - 1;
            }
    }
};

/// Of a group without forces: what is said of the fewest of its contacts that have none by themselves. Others may touch, too,
/// without a share in it.
void nameFewest(const MatrixXd& A, const VectorXd& b, const std::vector<RubbingContact>& contacts, const Chosen& group,
                double tolerance, RubbingForces& out)
{
    const std::size_t size = group.members.size();
    for (std::size_t count = 1; count < size && size <= kMostSelected; ++count)
        for (unsigned set = 1; set < (1U << size); ++set) {
            if (static_cast<std::size_t>(std::popcount(set)) != count)
                continue;
            std::vector<std::size_t> which;
            for (std::size_t k = 0; k < size; ++k)
                if ((set >> k & 1U) != 0)
                    which.push_back(group.members[k]);
            const Chosen few(contacts, std::move(which));
            const MatrixXd part = A(few.rows, few.rows);
            const VectorXd right = b(few.rows);
            const RubbingForces found = Search(part, right, few.own, tolerance).run();
            if (found.end != RubbingForces::End::None || found.named < 0)
                continue;
            out.named = static_cast<int>(few.members[static_cast<std::size_t>(found.named)]);
            out.response = found.response;
            out.jammed.assign(few.members.begin(), few.members.end());
            return;
        }
}

void solveGroup(const MatrixXd& A, const VectorXd& b, const std::vector<RubbingContact>& contacts,
                const std::vector<std::size_t>& members, double tolerance, RubbingForces& out)
{
    const Chosen group(contacts, members);
    const std::vector<Index>& rows = group.rows;
    using End = RubbingForces::End;
    const RubbingForces part = Search(A(rows, rows), b(rows), group.own, tolerance).run();
    if (part.end != End::Found && (out.end == End::Found || part.end != End::Several)) {
        out.end = part.end;
        out.named = part.named < 0 ? -1 : static_cast<int>(members[static_cast<std::size_t>(part.named)]);
        out.response = part.response;
        out.jammed.clear();
        if (part.end == End::None && part.named >= 0) {
            out.jammed.assign(members.begin(), members.end());
            nameFewest(A, b, contacts, group, tolerance, out);
        }
    }
    for (std::size_t k = 0; k < members.size() && k < part.touch.size(); ++k)
        out.touch[members[k]] = part.touch[k];
    if (part.z.size() == static_cast<Index>(rows.size()))
        out.z(rows) = part.z;
}

} // namespace

RubbingForces solveRubbing(const MatrixXd& A, const VectorXd& b, const std::vector<RubbingContact>& contacts, double tolerance)
{
    RubbingForces out;
    out.end = RubbingForces::End::Found;
    out.touch.assign(contacts.size(), Touch::Open);
    out.z = VectorXd::Zero(A.rows());
    const std::vector<std::size_t> group = groupsOf(A, contacts);
    for (std::size_t first = 0; first < group.size(); ++first) {
        if (out.end == RubbingForces::End::None || out.end == RubbingForces::End::TooMany)
            break;
        std::vector<std::size_t> members;
        for (std::size_t i = first; i < group.size(); ++i)
            if (group[i] == first)
                members.push_back(i);
        if (!members.empty())
            solveGroup(A, b, contacts, members, tolerance, out);
    }
    return out;
}

} // namespace driftless::consistency
