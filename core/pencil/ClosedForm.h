// The closed form (2.31) of a linear DAE, evaluated; private to this room.
//
//   z1(t) = -sum_k N^k (P1 f)^(k)(t), z2' = J z2 + P2 f
// Over a step of length h f is the polynomial through its values at the five Gauss-Legendre nodes, and the rest is exact:
//   z2(t + h) = phi_0 z2(t) + h sum_k k! phi_(k+1) c_k, phi_k(h J) the functions of exponential integrators, c_k the
//   coefficients
// of P2 f in powers of the share of the step (Hochbruck and Ostermann, Acta Numerica 19, 2010, 2.1). However stiff J is, only
// f decides how long a step may be: a step is halved until both halves together agree with it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/expr/Tape.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

/// f and its derivatives as they are evaluated.
class Sides {
public:
    explicit Sides(const std::vector<expr::Tape>& tapes) : tapes_(tapes)
    {
        for (const expr::Tape& t : tapes)
            work_.push_back(t.workspace());
    }
    /// f^(k)(t); false outside of the domain.
    bool at(std::size_t k, double t, Eigen::VectorXd& out)
    {
        out.resize(static_cast<Eigen::Index>(tapes_[k].outputCount()));
        if (tapes_[k].evaluate({&t}, out.data(), work_[k]))
            return true;
        withoutValue_ = t;
        return false;
    }
    /// Where the last one was that has no value.
    std::optional<double> withoutValue() const { return withoutValue_; }

private:
    const std::vector<expr::Tape>& tapes_;
    std::vector<expr::TapeWorkspace> work_;
    std::optional<double> withoutValue_;
};

/// The canonical form in its parts.
struct Form {
    Eigen::MatrixXd N, J, P1, P2, Q;
    int index = 0;

    /// z1 at t; sets ok to false where f or one of its derivatives has no value.
    Eigen::VectorXd algebraicPart(Sides& sides, double t, bool& ok) const;
};

/// z2' = J z2 + P2 f.
class DifferentialPart {
public:
    /// sideCost: of one evaluation of f, in products.
    DifferentialPart(const Form& form, Sides& sides, double sideCost);
    /// From t to t + h. False where f has no value, or z2 or a function of h J overflows.
    bool advance(double t, double h, Eigen::VectorXd& z);
    /// How far steps were from their halves: carried on by J, and the largest relative to 1 + |z2|.
    double estimate() const { return estimate_; }

private:
    static constexpr std::size_t kNodes = 5;
    struct Functions { ///< of one length of step
        Eigen::MatrixXd whole;
        std::array<Eigen::MatrixXd, kNodes> ofNode; ///< what the value at a node adds, for a step of length one
    };
    using Phi = std::array<Eigen::MatrixXd, kNodes + 1>;

    void prepare(double h);
    const Functions& functions(int level);
    Functions combined(const Phi& phi) const;
    bool step(int level, double t, Eigen::VectorXd& z);
    bool refined(int level, double t, Eigen::VectorXd& z);

    const Form& form_;
    Sides& sides_;
    double length_ = 0; ///< of a step of level 0; of level k it is 2^-k of that
    std::vector<std::optional<Functions>> levels_;
    Eigen::VectorXd error_;
    double sideCost_, estimate_ = 0, work_ = 0;
};

} // namespace driftless::pencil
