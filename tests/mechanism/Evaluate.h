// A model with its evaluator and dense views of what it computes, for tests.
#pragma once

#include <QtTest>

#include <random>
#include <vector>

#include "core/solve/DenseDecompositions.h"
#include "core/system/CompiledSystem.h"

namespace driftless::model::testing {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Round-off of about `operations` operations on numbers of size `scale`.
inline double roundoff(double operations, double scale) { return operations * scale * std::numeric_limits<double>::epsilon(); }

class Evaluated {
public:
    explicit Evaluated(const Result<std::shared_ptr<const Model>>& model)
    {
        if (!model)
            qFatal("%s", model.error().text().c_str());
        auto compiled = CompiledSystem::compile(*model);
        if (!compiled)
            qFatal("%s", compiled.error().text().c_str());
        compiled_ = *compiled;
        evaluator_ = std::make_unique<SystemEvaluator>(compiled_);
        w_.assign(static_cast<std::size_t>(compiled_->w()) + 1, 0.0);
    }

    const ConstrainedSystem& system() const { return compiled_->system(); }
    const Model& model() const { return compiled_->model(); }
    SystemEvaluator& evaluator() { return *evaluator_; }
    int n() const { return compiled_->n(); }
    int m() const { return compiled_->m(); }
    int holonomic() const { return compiled_->holonomic(); }
    double parameter(const std::string& name) const
    {
        for (std::size_t i = 0; i < system().parameters.size(); ++i)
            if (system().parameters[i].quantity.name == name)
                return evaluator_->parameters()[i];
        qFatal("no parameter %s", name.c_str());
    }
    int coordinate(const std::string& name) const
    {
        for (int i = 0; i < n(); ++i)
            if (system().coordinates[static_cast<std::size_t>(i)].name == name)
                return i;
        qFatal("no coordinate %s", name.c_str());
    }

    Matrix mass(const Vector& q, double t = 0)
    {
        return scatter(compiled_->massPlaces(), n(), n(), [&](double* out) { return evaluator_->mass(t, q.data(), out); });
    }
    Matrix jacobian(const Vector& q, double t = 0)
    {
        return scatter(compiled_->jacobianPlaces(), m(), n(),
                       [&](double* out) { return evaluator_->jacobian(t, q.data(), out); });
    }
    Vector force(const Vector& q, const Vector& v, double t = 0)
    {
        return fill(n(), [&](double* out) { return evaluator_->force(t, q.data(), v.data(), w_.data(), out); });
    }
    Vector constraints(const Vector& q, double t = 0)
    {
        return fill(holonomic(), [&](double* out) { return evaluator_->constraints(t, q.data(), out); });
    }
    Vector rates(const Vector& q, const Vector& v, double t = 0)
    {
        return fill(m(), [&](double* out) { return evaluator_->constraintRates(t, q.data(), v.data(), out); });
    }
    Vector gamma(const Vector& q, const Vector& v, double t = 0)
    {
        return fill(m(), [&](double* out) { return evaluator_->gamma(t, q.data(), v.data(), out); });
    }
    SystemEvaluator::Energy energy(const Vector& q, const Vector& v, double t = 0)
    {
        SystemEvaluator::Energy out;
        if (!evaluator_->energy(t, q.data(), v.data(), w_.data(), out))
            qFatal("%s", evaluator_->message().c_str());
        return out;
    }
    void starts(Vector& q, Vector& v)
    {
        q.resize(n());
        v.resize(n());
        if (!evaluator_->starts(q.data(), v.data(), w_.data()))
            qFatal("%s", evaluator_->message().c_str());
    }

    /// v' and lambda from M v' + G^T lambda = f, G v' = -gamma.
    void accelerations(const Vector& q, const Vector& v, Vector& a, Vector& lambda)
    {
        Matrix k = Matrix::Zero(n() + m(), n() + m());
        k.topLeftCorner(n(), n()) = mass(q);
        const Matrix g = jacobian(q);
        k.topRightCorner(n(), m()) = g.transpose();
        k.bottomLeftCorner(m(), n()) = g;
        Vector right(n() + m());
        right << force(q, v), -gamma(q, v);
        const Vector solution = solve::solution(Eigen::FullPivLU<Matrix>(k), right);
        a = solution.head(n());
        lambda = solution.tail(m());
    }

private:
    template <typename Places, typename Compute>
    Matrix scatter(const Places& places, int rows, int columns, Compute compute)
    {
        const Vector values = fill(static_cast<int>(places.size()), compute);
        Matrix out = Matrix::Zero(rows, columns);
        for (std::size_t i = 0; i < places.size(); ++i)
            out(places[i].row, places[i].column) = values[static_cast<Eigen::Index>(i)];
        return out;
    }
    template <typename Compute>
    Vector fill(int count, Compute compute)
    {
        Vector out(count);
        if (count > 0 && !compute(out.data()))
            qFatal("%s", evaluator_->message().c_str());
        return out;
    }

    std::shared_ptr<const CompiledSystem> compiled_;
    std::unique_ptr<SystemEvaluator> evaluator_;
    std::vector<double> w_; ///< multipliers, dynamic variables, efforts: none act here
};

/// count numbers from [-1, 1], the same in every run.
inline Vector randomVector(std::mt19937& generator, int count)
{
    Vector out(count);
    for (double& x : out)
        x = 2.0 * static_cast<double>(generator()) / static_cast<double>(std::mt19937::max()) - 1.0;
    return out;
}

#define VERIFY_CLOSE(actual, expected, tolerance)                                                                              \
    do {                                                                                                                       \
        const double difference_ = ((actual) - (expected)).template lpNorm<Eigen::Infinity>();                                 \
        QVERIFY2(difference_ <= (tolerance),                                                                                   \
                 qPrintable(QString("off by %1, allowed %2").arg(difference_).arg(static_cast<double>(tolerance))));           \
    } while (false)

} // namespace driftless::model::testing
