// Random mechanisms as model texts, and how far their constraints are from losing rank, computed without the program's
// derivatives.
#pragma once

#include <cmath>
#include <random>
#include <sstream>

#include "core/run/Run.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/CompiledSystem.h"

namespace driftless::test {

/// Lengths, masses and with them times of any size; the motion lasts a few times sqrt(length / g).
struct RandomMechanism {
    std::string kind, text;
    double time = 1; ///< [s] of the motion
};

class MechanismSource {
public:
    explicit MechanismSource(unsigned seed) : random_(seed) {}

    RandomMechanism next()
    {
        length_ = std::pow(10, among(-2, 2));
        mass_ = std::pow(10, among(-3, 3));
        time_ = std::sqrt(length_ / 9.81);
        text_.str("format = 1\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n");
        text_.seekp(0, std::ios::end);
        text_.precision(17);
        std::string kind;
        switch (std::uniform_int_distribution<int>(0, 4)(random_)) {
        case 0:
            kind = "tree of rods in the plane", tree(2);
            break;
        case 1:
            kind = "tree of rods in space", tree(3);
            break;
        case 2:
            kind = "four-bar", fourBar();
            break;
        case 3:
            kind = "top", top();
            break;
        default:
            kind = "two bodies on ball joints", bodies();
            break;
        }
        return {kind, text_.str(), 3 * time_};
    }

private:
    double among(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }

    void point(const std::string& name, const std::vector<double>& place, double speed)
    {
        text_ << "[[body]]\nname = \"" << name << "\"\nkind = \"point\"\nmass = " << mass_ * among(0.2, 2) << "\n";
        const char* const axes[] = {"x", "y", "z"};
        for (std::size_t k = 0; k < place.size(); ++k)
            text_ << axes[k] << " = { start = " << place[k] << ", velocity = " << speed * among(-1, 1) << " }\n";
    }
    static std::string list(const std::vector<double>& x)
    {
        std::ostringstream out;
        out.precision(17);
        for (std::size_t k = 0; k < x.size(); ++k)
            out << (k ? ", " : "[") << x[k];
        return out.str() + "]";
    }
    void rod(const std::string& name, const std::string& from, const std::string& to, double length)
    {
        text_ << "[[joint]]\nname = \"" << name << "\"\nkind = \"rod\"\nfrom = " << from << "\nto = " << to
              << "\nlength = " << length << "\n";
    }

    /// Points on rods, each hung on the ground or on an earlier one.
    void tree(int d)
    {
        if (d == 3)
            text_.str("dimensions = 3\n" + text_.str()), text_.seekp(0, std::ios::end);
        const int count = std::uniform_int_distribution<int>(1, 5)(random_);
        std::vector<std::vector<double>> places;
        for (int i = 0; i < count; ++i) {
            const int parent = std::uniform_int_distribution<int>(-1, i - 1)(random_);
            const double length = length_ * among(0.3, 1.5);
            std::vector<double> way(static_cast<std::size_t>(d)), place;
            double norm = 0;
            for (double& w : way) {
                w = among(-1, 1);
                norm += w * w;
            }
            std::vector<double> hook(way.size(), 0.0);
            if (parent >= 0)
                hook = places[static_cast<std::size_t>(parent)];
            else
                hook[0] = length_ * among(-1, 1);
            for (std::size_t k = 0; k < way.size(); ++k)
                place.push_back(hook[k] + length * way[k] / std::sqrt(norm));
            const std::string name = "p" + std::to_string(i);
            point(name, place, length_ / time_);
            rod("rod" + std::to_string(i),
                parent >= 0 ? "\"p" + std::to_string(parent) + "\"" : "{ body = \"ground\", at = " + list(hook) + " }",
                "\"" + name + "\"", length);
            places.push_back(place);
        }
    }
    /// Crank, coupler and rocker of any lengths that reach.
    void fourBar()
    {
        const double x = among(-1, 1), y = among(-1, 1), u = among(-1, 1), w = among(-1, 1), base = among(0.5, 2);
        const auto way = [](double dx, double dy) { return std::hypot(dx, dy); };
        point("a", {length_ * x, length_ * y}, 2 * length_ / time_);
        point("b", {length_ * (base + u), length_ * w}, 2 * length_ / time_);
        rod("crank", "{ body = \"ground\", at = [0.0, 0.0] }", "\"a\"", length_ * way(x, y));
        rod("coupler", "\"a\"", "\"b\"", length_ * way(base + u - x, w - y));
        rod("rocker", "{ body = \"ground\", at = " + list({length_ * base, 0}) + " }", "\"b\"", length_ * way(u, w));
    }
    void rigid(const std::string& name, const std::vector<double>& place, double spin)
    {
        const double unit = mass_ * length_ * length_, a = among(0.1, 0.3), b = among(0.1, 0.3);
        text_ << "[[body]]\nname = \"" << name << "\"\nkind = \"rigid\"\nmass = " << mass_
              << "\ninertia = " << list({unit * a, unit * b, unit * among(std::abs(a - b) + 0.02, a + b)}) << "\n";
        const char* const axes[] = {"x", "y", "z"};
        for (std::size_t k = 0; k < 3; ++k)
            text_ << axes[k] << " = { start = " << place[k] << " }\n";
        text_ << "angular_velocity = "
              << list({spin * among(-1, 1) / time_, spin * among(-1, 1) / time_, spin * among(-1, 1) / time_}) << "\n";
    }
    void ball(const std::string& name, const std::string& from, const std::string& to)
    {
        text_ << "[[joint]]\nname = \"" << name << "\"\nkind = \"spherical\"\nfrom = " << from << "\nto = " << to << "\n";
    }
    std::string on(const std::string& body, const std::vector<double>& at) const
    {
        return "{ body = \"" + body + "\", at = " + list(at) + " }";
    }

    /// A body of any inertia about a fixed point, slow or fast: its kernel turns with it.
    void top()
    {
        text_.str("dimensions = 3\n" + text_.str()), text_.seekp(0, std::ios::end);
        const std::vector<double> arm{length_ * among(-0.5, 0.5), length_ * among(-0.5, 0.5), length_ * among(0.2, 0.5)};
        rigid("body", arm, std::pow(10, among(0, 1.7)));
        ball("tip", "\"ground\"", on("body", {-arm[0], -arm[1], -arm[2]}));
    }
    void bodies()
    {
        text_.str("dimensions = 3\n" + text_.str()), text_.seekp(0, std::ios::end);
        const double a = length_ * among(0.3, 1), b = length_ * among(0.3, 1);
        rigid("upper", {0, 0, -a}, 3);
        rigid("lower", {0, 0, -2 * a - b}, 3);
        ball("hook", "\"ground\"", on("upper", {0, 0, a}));
        ball("link", on("upper", {0, 0, -a}), on("lower", {0, 0, b}));
    }

    std::mt19937 random_;
    std::ostringstream text_;
    double length_ = 1, mass_ = 1, time_ = 1;
};

/// Gradients of the holonomic constraints, by central differences of g.
inline Eigen::MatrixXd gradientsAt(model::SystemEvaluator& evaluator, double t, Eigen::VectorXd q)
{
    const Eigen::Index m = evaluator.compiled().holonomic();
    Eigen::VectorXd plus(m), minus(m);
    Eigen::MatrixXd G(m, q.size());
    const double size = q.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double kept = q(i), e = 1e-6 * (std::abs(kept) + 0.01 * size);
        q(i) = kept + e;
        evaluator.constraints(t, q.data(), plus.data());
        q(i) = kept - e;
        evaluator.constraints(t, q.data(), minus.data());
        q(i) = kept;
        G.col(i) = (plus - minus) / (2 * e);
    }
    return G;
}

inline model::SystemEvaluator evaluatorOf(const run::Run& run)
{
    model::SystemEvaluator out(std::shared_ptr<const model::CompiledSystem>(&run.system(), [](auto*) {}));
    out.setParameters(run.status().parameters);
    return out;
}

/// How far the constraints of a run are from losing rank: the smallest singular value of their gradients, rows and columns
/// scaled to norms alike over the whole motion. (Scaled at one place alone, a column that vanishes there would be blown up:
/// that is how a four-bar goes flat.)
class RankOracle {
public:
    explicit RankOracle(const run::Run& run) : evaluator_(evaluatorOf(run)), view_(run.recording())
    {
        constexpr std::uint64_t kPlaces = 32;
        Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(run.system().holonomic(), run.system().n());
        for (std::uint64_t r = 0; r < view_.rowCount(); r += 1 + view_.rowCount() / kPlaces)
            squares += gradientsAt(evaluator_, view_.time(r), row(r)).cwiseAbs2();
        rows_ = Eigen::VectorXd::Ones(squares.rows());
        columns_ = Eigen::VectorXd::Ones(squares.cols());
        const auto scaled = [&] {
            return Eigen::MatrixXd(rows_.cwiseAbs2().asDiagonal() * squares * columns_.cwiseAbs2().asDiagonal());
        };
        for (int k = 0; k < 40; ++k) {
            for (Eigen::Index j = 0; const double sum : Eigen::VectorXd(scaled().colwise().sum().transpose()))
                columns_(j++) *= sum > 0 ? std::pow(sum, -0.25) : 1;
            for (Eigen::Index i = 0; const double sum : Eigen::VectorXd(scaled().rowwise().sum()))
                rows_(i++) *= sum > 0 ? std::pow(sum, -0.25) : 1;
        }
        for (Eigen::Index i = 0; const double sum : Eigen::VectorXd(scaled().rowwise().sum()))
            rows_(i++) *= std::sqrt(static_cast<double>(std::min(kPlaces, view_.rowCount())) / sum);
    }
    double at(double t, const Eigen::VectorXd& q)
    {
        const Eigen::MatrixXd G = rows_.asDiagonal() * gradientsAt(evaluator_, t, q) * columns_.asDiagonal();
        return G.rows() > 0 && G.rows() <= G.cols() ? Eigen::JacobiSVD<Eigen::MatrixXd>(G).singularValues()(G.rows() - 1) : 1;
    }
    /// At every stride-th row of the recording.
    double least(std::uint64_t stride)
    {
        double out = 1;
        for (std::uint64_t r = 0; r < view_.rowCount(); r += stride)
            out = std::min(out, at(view_.time(r), row(r)));
        return out;
    }

private:
    Eigen::VectorXd row(std::uint64_t r) const
    {
        Eigen::VectorXd q(view_.n());
        for (Eigen::Index i = 0; i < q.size(); ++i)
            q(i) = view_.value(r, static_cast<int>(i));
        return q;
    }
    model::SystemEvaluator evaluator_;
    run::RecordingView view_;
    Eigen::VectorXd rows_, columns_;
};

} // namespace driftless::test
