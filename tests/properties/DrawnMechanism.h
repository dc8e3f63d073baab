// A mechanism placed joint by joint by kinematics of its own, so that its start is consistent by construction, and what is true
// of it. Gravity pulls against y.
#pragma once

#include <optional>

#include "tests/properties/MechanismDrawer.h"
#include "tests/properties/MechanismText.h"

namespace driftless::test {

class DrawnMechanism {
public:
    using Vector = MechanismParts::Vector;
    using Turn = MechanismParts::Turn;
    using Body = MechanismParts::Body;
    using Joint = MechanismParts::Joint;

    explicit DrawnMechanism(const MechanismShape& shape) : shape_(shape), draw_(shape.seed ^ 0x3e0u)
    {
        MechanismDrawer(shape_, draw_, parts_, q_);
        drawVelocities();
        const MechanismText written(parts_, q_, v_);
        text_ = written.text();
        names_ = written.names();
    }
    DrawnMechanism(const DrawnMechanism&) = delete; // rows_ refers to parts_
    DrawnMechanism& operator=(const DrawnMechanism&) = delete;

    const MechanismShape& shape() const { return shape_; }
    const std::string& text() const { return text_; }
    const std::vector<std::string>& coordinates() const { return names_; }
    const Eigen::VectorXd& start() const { return q_; }
    const Eigen::VectorXd& velocity() const { return v_; }
    int n() const { return static_cast<int>(q_.size()); }
    bool driven() const { return !joints().empty() && joints().back().kind == "motion"; }
    /// Rows that the joints state, for places with the norms of quaternions, and for velocities alone.
    int rows() const
    {
        int out = 0;
        for (const Joint& j : joints())
            out += rows_.closuresOf(j);
        for (const Body& b : parts_.bodies)
            out += shape_.space && !b.point;
        return out;
    }
    int velocityRows() const
    {
        int out = 0;
        for (const Joint& j : joints())
            out += rows_.velocityRowsOf(j);
        return out;
    }
    const std::vector<Joint>& joints() const { return parts_.joints; }

    /// Independent rows at q and t = 0.
    struct Ranks {
        int places = 0, velocities = 0; ///< of those for places, and of all of them for velocities
    };
    /// Nothing where singular values do not tell.
    std::optional<Ranks> ranks(const Eigen::VectorXd& q) const
    {
        const auto places = rankOf(rows_.gradients(q, 0)), velocities = rankOf(rows_.velocityGradients(q, 0));
        if (!places || !velocities)
            return std::nullopt;
        return Ranks{*places, *velocities};
    }
    /// Of places, and of what screws and discs have advanced since the start.
    double residual(const Eigen::VectorXd& q, double t) const
    {
        return std::max(rows_.closures(q, t).cwiseAbs().maxCoeff(), largest(rows_.advances(q)));
    }
    /// Whether a drive asks for what the other joints forbid: then no velocity meets all rows.
    bool contradicts() const { return largest(rows_.velocityGradients(q_, 0) * v_ + rows_.velocityRest(q_, 0)) > 1e-6; }
    /// Whether fewer rows for velocities than `rank` are independent there, or nearly so.
    bool singular(const Eigen::VectorXd& q, double t, int rank) const
    {
        const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(rows_.velocityGradients(q, t)).singularValues();
        return rank > 0 && sigma[rank - 1] < kUnclear * sigma[0];
    }
    double slip(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const { return largest(rows_.slips(q, v)); }
    /// T + V [J].
    double energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const
    {
        double out = 0;
        for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
            const Body& b = parts_.bodies[i];
            const int body = static_cast<int>(i);
            const Vector speed = parts_.place(body, v), w = parts_.spin(body, q, v);
            out += b.mass * (speed.squaredNorm() / 2 + 9.81 * parts_.place(body, q).y()) + w.dot(b.inertia.cwiseProduct(w)) / 2;
        }
        for (const MechanismParts::Spring& s : parts_.springs) {
            const double length = (parts_.point(s.to, s.at, q) - parts_.point(s.from, s.on, q)).norm();
            out += s.stiffness * std::pow(length - s.length, 2) / 2;
        }
        return out;
    }

private:
    static constexpr double kUnclear = 1e-3; ///< singular values below this part of the largest do not tell

    static double largest(const Eigen::VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0; }
    static std::optional<int> rankOf(const Eigen::MatrixXd& G)
    {
        const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(G).singularValues();
        int out = 0;
        while (out < sigma.size() && sigma[out] > 1e-6 * sigma[0])
            ++out;
        const bool unclear =
            out > 0 && (sigma[out - 1] < kUnclear * sigma[0] || (out < sigma.size() && sigma[out] > 1e-8 * sigma[0]));
        return unclear ? std::nullopt : std::optional(out);
    }

    /// Any velocity, or none, less what the rows forbid; of a size near one.
    void drawVelocities()
    {
        v_ = Eigen::VectorXd::Zero(n());
        if (shape_.moving)
            for (double& x : v_)
                x = draw_.between(-1, 1);
        const Eigen::MatrixXd W = rows_.velocityGradients(q_, 0);
        Eigen::JacobiSVD<Eigen::MatrixXd> svd(W, Eigen::ComputeThinU | Eigen::ComputeThinV);
        svd.setThreshold(1e-6);
        v_ -= svd.solve(W * v_ + rows_.velocityRest(q_, 0));
    }

    MechanismShape shape_;
    Draw draw_;
    MechanismParts parts_;
    MechanismRows rows_{parts_};
    Eigen::VectorXd q_, v_;
    std::vector<std::string> names_;
    std::string text_;
};

} // namespace driftless::test
