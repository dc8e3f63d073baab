// Index and degrees of freedom of every formulation on every shipped model, from the rank of the derivative array (Campbell,
// Gear, Numer. Math. 72 (1995) 173-196; Brenan, Campbell, Petzold 1989, section 2.4), against what the forms claim.
//
//   array of order nu   F(t, y, y') = 0, dF/dt = 0, ..., d^nu F/dt^nu = 0 over z = (y', y'', ..., y^(nu+1))
//   index               least nu at which it determines y': no vector of ker dA/dz has a part in y' (1-full)
//   degrees of freedom  dimension of the y for which it has a solution: N - (rank [dA/dy, dA/dz] - rank dA/dz) at nu = index
//
// Unknowns that abbreviate an inverse (accelerations, their rates, rates of efforts) are values that the rows define: they
// belong to z from their order 0 on, so that M a = f - W^T lambda, v' = a counts as the ordinary differential equation it
// stands for. Bases and gains are constant; their rates would multiply defects that vanish on the solution. The ssf-forms are
// taken as they are squared: A1 + A2^T sigma.
//
// The array is differentiated symbolically and solved by Newton's iteration of least norm in z, at generic consistent positions
// and velocities (at rest (3.24) of [PP92] is singular and (3.16) has another index).
#include <QtTest>

#include <algorithm>
#include <random>

#include "core/formulation/BasisValues.h"
#include "core/formulation/Pivot.h"
#include "core/run/Run.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ShippedModels.h"
#include "tests/problems/FormDrive.h"
#include "tests/support/LibraryModels.h"

using namespace driftless;
using namespace driftless::problems;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::Expr;
using expr::Symbol;
using formulation::Dae;
using formulation::UnknownKind;
using model::ModelState;

namespace {

constexpr double kTime = 0.37; ///< a moment at which no moving support rests
constexpr double kGain = 3;    ///< penalties at most this large: no rank depends on their size, but its numerical decision does

/// Consistent, near the start but at no special place: positions moved by up to 0.1, velocities by up to `speed` (0: at rest),
/// then corrected.
ModelState genericState(ModelUnderTest& subject, unsigned seed, double speed = 0.5)
{
    const auto n = static_cast<std::size_t>(subject.n());
    consistency::Request request;
    request.t = kTime;
    request.q.resize(n);
    request.v.resize(n);
    request.lambda.resize(static_cast<std::size_t>(subject.system->w()));
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    subject.evaluator.starts(request.q.data(), request.v.data(), request.lambda.data() + subject.m());
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    for (double& q : request.q)
        q += 0.1 * any(random);
    double fastest = 1; // a spin of 150 1/s would pull the ranks of an array with its powers apart
    for (const double v : request.v)
        fastest = std::max(fastest, std::abs(v));
    for (double& v : request.v)
        v = speed > 0 ? v / fastest + speed * any(random) : 0;
    ModelState state = require(subject.solver.solve(request)).state;
    state.t = kTime;
    return state;
}

/// The rank of a matrix whose rows, then columns, are brought to size one (but those that are zero up to round-off), and how
/// clearly it is decided.
struct Rank {
    Index value = 0;
    double gap = std::numeric_limits<double>::infinity(); ///< least singular value that counts over the largest that does not
};

Rank rankOf(MatrixXd A)
{
    Rank out;
    if (A.size() == 0)
        return out;
    const double zero = 1e-9 * A.cwiseAbs().maxCoeff();
    for (Index i = 0; i < A.rows(); ++i)
        if (const double size = A.row(i).cwiseAbs().maxCoeff(); size > zero)
            A.row(i) /= size;
    for (Index j = 0; j < A.cols(); ++j)
        if (const double size = A.col(j).cwiseAbs().maxCoeff(); size > zero)
            A.col(j) /= size;
    const VectorXd s = Eigen::JacobiSVD<MatrixXd>(A).singularValues();
    // Round-off of the point (Newton, 1e-10 of the largest derivative) lies below, the angles of generic configurations above.
    while (out.value < s.size() && s(out.value) > 1e-7 * s(0))
        ++out.value;
    if (out.value < s.size() && out.value > 0)
        out.gap = s(out.value - 1) / std::max(s(out.value), 1e-16 * s(0));
    return out;
}

/// The derivative array of a form on a model.
class DerivativeArray {
public:
    DerivativeArray(ModelUnderTest& subject, const Dae& dae, const ModelState& state, int order)
        : subject_(subject), dae_(dae), state_(state), order_(order), count_(static_cast<int>(dae.unknowns.size()))
    {
        for (const formulation::Unknown& u : dae.unknowns)
            abbreviation_.push_back(u.kind == UnknownKind::Acceleration
                                    || (u.kind == UnknownKind::Auxiliary && u.solvedAtStart));
        differentiate();
        compile();
        startValues();
    }

    int order() const { return order_; }
    /// Newton's iteration of least norm over z. False: no solution to round-off.
    bool solve();
    /// y' of all but abbreviations is determined by the rows up to this order.
    bool isFull(int order, double& gap) const;
    Index freedom(int order, double& gap) const;

private:
    /// Derivative k of unknown i.
    static Symbol derivativeSymbol(int k, int i)
    {
        std::string name = std::to_string(k);
        name += "th of unknown ";
        name += std::to_string(i);
        return {expr::SymbolKind::Variable, name, 0};
    }
    std::size_t place(int k, int i) const { return static_cast<std::size_t>(k * count_ + i); }
    bool inZ(int k, int i) const { return k > 0 || abbreviation_[static_cast<std::size_t>(i)]; }
    std::vector<Expr> rowsInForce();
    void differentiate();
    void compile();
    void startValues();
    bool evaluate(VectorXd& values, MatrixXd& jacobian);
    /// Rows up to an order, columns that are wanted.
    template <class Wanted>
    MatrixXd part(int order, Wanted wanted) const;

    ModelUnderTest& subject_;
    const Dae& dae_;
    const ModelState& state_;
    int order_, count_;
    std::vector<bool> abbreviation_;
    std::vector<Expr> array_;
    std::vector<double> parameters_, point_;
    std::vector<expr::JacobianEntry> entries_;
    expr::Tape values_, partials_;
    expr::TapeWorkspace valuesWork_, partialsWork_;
    MatrixXd jacobian_;
};

formulation::Dummies regularDummies(ModelUnderTest& subject, const ModelState& s, bool throughMass)
{
    const auto choose = [&](const MatrixXd& A) {
        formulation::PivotChooser chooser(static_cast<int>(A.cols()), static_cast<int>(A.rows()));
        std::vector<solve::MatrixPlace> places;
        std::vector<double> values;
        for (int i = 0; i < A.rows(); ++i)
            for (int j = 0; j < A.cols(); ++j) {
                places.push_back({i, j});
                values.push_back(A(i, j));
            }
        chooser.load(places, values);
        return chooser.choose();
    };
    std::vector<double> jacobian(subject.system->jacobianPlaces().size());
    subject.evaluator.jacobian(s.t, s.q.data(), jacobian.data());
    MatrixXd W = subject.matrix(subject.system->jacobianPlaces(), jacobian, subject.m());
    if (throughMass)
        W = solve::solution(Eigen::FullPivLU<MatrixXd>(subject.M(s.t, s.q).transpose()), MatrixXd(W.transpose())).transpose();
    return {subject.system->holonomic() ? choose(subject.G(s.t, s.q)) : std::vector<int>{},
            subject.m() ? choose(W) : std::vector<int>{}};
}

std::vector<Expr> DerivativeArray::rowsInForce()
{
    std::vector<Expr> rows;
    for (const formulation::Row& row : dae_.rows)
        rows.push_back(row.residual);
    if (dae_.overdetermined > 0) { // squared: the rows A1 + A2^T sigma, then A2
        const std::size_t first = rows.size() - static_cast<std::size_t>(dae_.overdetermined);
        std::vector<Symbol> symbols;
        for (const formulation::Unknown& u : dae_.unknowns)
            symbols.push_back(u.symbol);
        const std::vector<Expr> A2(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end());
        for (const expr::JacobianEntry& e : expr::sparseJacobian(A2, symbols)) {
            Expr& row = rows[static_cast<std::size_t>(e.column)];
            row = row + e.value * expr::symbol(symbols[first + static_cast<std::size_t>(e.row)]);
        }
    }
    if (dae_.pivot) {
        const formulation::Dummies dummies = regularDummies(subject_, state_, dae_.pivot->throughMass);
        const auto pick = [&](const std::vector<int>& choices, const std::vector<int>& chosen) {
            for (std::size_t c = 0; c < choices.size(); ++c)
                if (std::find(chosen.begin(), chosen.end(), static_cast<int>(c)) == chosen.end())
                    rows.push_back(dae_.choices[static_cast<std::size_t>(choices[c])].residual);
        };
        pick(dae_.pivot->positionRows, dummies.positions);
        pick(dae_.pivot->velocityRows, dummies.velocities);
    }
    return rows;
}

void DerivativeArray::differentiate()
{
    expr::Substitution renamed;
    std::unordered_map<Symbol, std::pair<int, int>, expr::SymbolHash> derivatives;
    for (int i = 0; i < count_; ++i) {
        const Symbol& u = dae_.unknowns[static_cast<std::size_t>(i)].symbol;
        renamed.emplace(u, expr::symbol(derivativeSymbol(0, i)));
        renamed.emplace(*expr::rate(u).symbol(), expr::symbol(derivativeSymbol(1, i)));
        for (int k = 0; k <= order_ + 1; ++k)
            derivatives.emplace(derivativeSymbol(k, i), std::pair(k, i));
    }
    const expr::RateRule next = [&](const Symbol& symbol) -> std::optional<Expr> {
        const auto found = derivatives.find(symbol);
        if (found == derivatives.end())
            return std::nullopt;
        return expr::symbol(derivativeSymbol(found->second.first + 1, found->second.second));
    };
    std::vector<Expr> rows = rowsInForce();
    for (Expr& row : rows)
        row = expr::substitute(row, renamed);
    for (int k = 0; k <= order_; ++k) {
        array_.insert(array_.end(), rows.begin(), rows.end());
        for (Expr& row : rows)
            row = expr::timeDerivative(row, 1, next);
    }
}

void DerivativeArray::compile()
{
    std::vector<Symbol> unknowns, parameters;
    for (int k = 0; k <= order_ + 1; ++k)
        for (int i = 0; i < count_; ++i)
            unknowns.push_back(derivativeSymbol(k, i));
    for (const auto* list : {&subject_.system->system().parameters, &dae_.gains})
        for (const model::Parameter& p : *list)
            parameters.push_back(p.symbol);
    for (const formulation::Basis& b : dae_.bases)
        parameters.insert(parameters.end(), b.entries.begin(), b.entries.end());
    parameters_ = subject_.parameters;
    for (const model::Parameter& p : dae_.gains)
        parameters_.push_back(std::min(p.quantity.value, kGain));
    if (!dae_.bases.empty()) {
        formulation::BasisValues bases(subject_.system, dae_.bases);
        bases.setParameters(subject_.parameters);
        if (!bases.refresh(state_.t, state_.q.data(), state_.lambda.data()))
            qFatal("%s", bases.message().c_str());
        parameters_.insert(parameters_.end(), bases.values().begin(), bases.values().end());
    }
    const std::vector<std::vector<Symbol>> banks{{*expr::time().symbol()}, unknowns, parameters};
    entries_ = expr::sparseJacobian(array_, unknowns);
    std::vector<Expr> partials;
    for (const expr::JacobianEntry& e : entries_)
        partials.push_back(e.value);
    values_ = require(expr::Tape::compile(array_, banks));
    partials_ = require(expr::Tape::compile(partials, banks));
    valuesWork_ = values_.workspace();
    partialsWork_ = partials_.workspace();
}

void DerivativeArray::startValues()
{
    point_.assign(static_cast<std::size_t>((order_ + 2) * count_), 0.0);
    formulation::DaeInstance instance(require(formulation::CompiledDae::compile(dae_, subject_.system)), subject_.parameters);
    if (instance.hasBases() && !instance.refreshBases(state_))
        qFatal("%s", instance.domainMessage().c_str());
    if (!instance.fromState(state_, point_.data(), point_.data() + count_))
        qFatal("%s", instance.domainMessage().c_str());
}

bool DerivativeArray::evaluate(VectorXd& values, MatrixXd& jacobian)
{
    const double* const banks[] = {&state_.t, point_.data(), parameters_.data()};
    values.resize(static_cast<Index>(array_.size()));
    std::vector<double> partials(entries_.size());
    if (!values_.evaluate(banks, values.data(), valuesWork_) || !partials_.evaluate(banks, partials.data(), partialsWork_))
        return false;
    jacobian.setZero(values.size(), static_cast<Index>(point_.size()));
    for (std::size_t e = 0; e < entries_.size(); ++e)
        jacobian(entries_[e].row, entries_[e].column) = partials[e];
    return true;
}

bool DerivativeArray::solve()
{
    VectorXd values;
    for (int iteration = 0; iteration < 20; ++iteration) {
        if (!evaluate(values, jacobian_))
            return false;
        double size = 1;
        for (const double x : point_)
            size = std::max(size, std::abs(x));
        if (values.cwiseAbs().maxCoeff() < 1e-10 * size)
            return true;
        std::vector<std::size_t> columns;
        for (int k = 0; k <= order_ + 1; ++k)
            for (int i = 0; i < count_; ++i)
                if (inZ(k, i))
                    columns.push_back(place(k, i));
        MatrixXd J(values.size(), static_cast<Index>(columns.size()));
        for (std::size_t c = 0; c < columns.size(); ++c)
            J.col(static_cast<Index>(c)) = jacobian_.col(static_cast<Index>(columns[c]));
        const VectorXd step = solve::leastSquares(J, values, 1e-10);
        for (std::size_t c = 0; c < columns.size(); ++c)
            point_[columns[c]] -= step(static_cast<Index>(c));
    }
    return false;
}

template <class Wanted>
MatrixXd DerivativeArray::part(int order, Wanted wanted) const
{
    const Index rows = static_cast<Index>(array_.size()) / (order_ + 1) * (order + 1);
    std::vector<Index> columns;
    for (int k = 0; k <= order + 1; ++k)
        for (int i = 0; i < count_; ++i)
            if (wanted(k, i))
                columns.push_back(static_cast<Index>(place(k, i)));
    MatrixXd out(rows, static_cast<Index>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c)
        out.col(static_cast<Index>(c)) = jacobian_.col(columns[c]).head(rows);
    return out;
}

bool DerivativeArray::isFull(int order, double& gap) const
{
    const auto isRate = [&](int k, int i) { return k == 1 && !abbreviation_[static_cast<std::size_t>(i)]; };
    const Rank all = rankOf(part(order, [&](int k, int i) { return inZ(k, i); }));
    const Rank others = rankOf(part(order, [&](int k, int i) { return inZ(k, i) && !isRate(k, i); }));
    gap = std::min({gap, all.gap, others.gap});
    return all.value == others.value + std::count(abbreviation_.begin(), abbreviation_.end(), false);
}

Index DerivativeArray::freedom(int order, double& gap) const
{
    const Rank all = rankOf(part(order, [](int, int) { return true; }));
    const Rank z = rankOf(part(order, [&](int k, int i) { return inZ(k, i); }));
    gap = std::min({gap, all.gap, z.gap});
    return std::count(abbreviation_.begin(), abbreviation_.end(), false) - (all.value - z.value);
}

/// Whether (3.24) of [PP92] is regular.
bool hasRateRank(ModelUnderTest& subject, const ModelState& s)
{
    const MatrixXd G = subject.G(s.t, s.q), L = subject.L(s.t, s.q, s.v);
    MatrixXd both(G.rows() + L.rows(), G.cols());
    both << G, L;
    return rankOf(both).value == both.rows();
}

run::RunSettings stepped(const std::string& form)
{
    run::RunSettings s;
    s.formulation = form;
    s.integrator = "bdf2";
    s.options.step = 0.01;
    return s;
}

/// Table 1 of [St02], for any number of position constraints h and velocity constraints m >= h.
int claimedFreedom(const model::ConstrainedSystem& s, const std::string& form)
{
    const int n = s.n(), m = s.m(), h = s.holonomic(), states = static_cast<int>(s.dynamics.size());
    if (form == "underlying-ode")
        return 2 * n + m + states; // the multipliers start anywhere too
    for (const char* free : {"index-1", "baumgarte", "projection", "penalty", "augmented-lagrangian"})
        if (form == free)
            return 2 * n + states; // projection acts between steps, not through a row
    if (form == "index-2")
        return 2 * n - m + states;
    return 2 * (n - h) - (m - h) + states;
}

} // namespace

class TestIndex : public QObject {
    Q_OBJECT
private slots:
    void indexAndFreedom_areThoseClaimed_data();
    void indexAndFreedom_areThoseClaimed();
    void atRest_only316IsNotOfIndexTwo();
    void unturnedConstraint_leavesTauOf316Free();
};

void TestIndex::indexAndFreedom_areThoseClaimed_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("choice");
    for (const auto& m : model::shippedModels()) {
        if (testing::libraryModels().count(m.id) && m.id != "rolling-coin" && m.id != "crank-rocker" && m.id != "free-body"
            && m.id != "heavy-top")
            continue; // the same kinds of constraints again, with arrays whose work grows with n^3
        if (m.id == "parallelogram")
            continue; // its redundant row leaves the multipliers undetermined: no index is claimed, the forms that need one
                      // refuse it
        const bool quaternion = testing::hasQuaternion(ModelUnderTest(m.id).system->system());
        for (const auto& f : formulation::formulations()) {
            if (quaternion && testing::solvesWithMassAlone(f->info().id))
                continue;
            const QString model = QString::fromStdString(m.id), form = QString::fromStdString(f->info().id);
            QTest::addRow("%s %s", m.id.c_str(), f->info().id.c_str()) << model << form << QString() << QString();
            for (const auto& option : f->info().options)
                for (std::size_t c = 1; c < option.choices.size(); ++c)
                    QTest::addRow("%s %s %s", m.id.c_str(), f->info().id.c_str(), option.choices[c].c_str())
                        << model << form << QString::fromStdString(option.name) << QString::fromStdString(option.choices[c]);
        }
    }
}

void TestIndex::indexAndFreedom_areThoseClaimed()
{
    QFETCH(QString, model);
    QFETCH(QString, form);
    QFETCH(QString, option);
    QFETCH(QString, choice);
    ModelUnderTest subject(model.toStdString());
    formulation::OptionValues options;
    if (!option.isEmpty())
        options[option.toStdString()] = choice.toStdString();
    const auto dae = formulation::findFormulation(form.toStdString())->build(subject.system->model(), options);
    if (!dae)
        QSKIP("refused");
    const ModelState state = genericState(subject, 11);
    DerivativeArray array(subject, *dae, state, dae->index);
    QVERIFY(array.solve());
    double gap = std::numeric_limits<double>::infinity();
    if (dae->needsRateRank && !hasRateRank(subject, state)) { // the form says that it needs it; a run stops with (3.24)
        QVERIFY(!array.isFull(dae->index, gap));
        return;
    }
    int index = 0;
    while (index <= array.order() && !array.isFull(index, gap))
        ++index;
    QCOMPARE(index, dae->differentiationIndex);
    QCOMPARE(static_cast<int>(array.freedom(index, gap)), claimedFreedom(subject.system->system(), form.toStdString()));
    QVERIFY2(gap > 1e3, qPrintable(QString("rank decided by a gap of %1 only").arg(gap)));
}

/// (3.24) is singular at rest: tau of (3.16) is not determined by any number of derivatives there. (3.17), (3.32) do not need
/// it.
void TestIndex::atRest_only316IsNotOfIndexTwo()
{
    ModelUnderTest subject("double-pendulum");
    const ModelState state = genericState(subject, 11, 0);
    for (const char* form :
         {"extended-3.16", "odae-ssf", "extended-3.17", "odae-explicit-ssf", "projected-invariants", "ggl"}) {
        const Dae dae = require(formulation::findFormulation(form)->build(subject.system->model(), {}));
        DerivativeArray array(subject, dae, state, 3);
        QVERIFY2(array.solve(), form);
        double gap = std::numeric_limits<double>::infinity();
        const bool needs = dae.needsRateRank;
        QVERIFY2(array.isFull(2, gap) == !needs && array.isFull(3, gap) == !needs && !array.isFull(1, gap), form);
        QCOMPARE(needs, std::string(form) == "extended-3.16" || std::string(form) == "odae-ssf");
    }
}

/// The same wherever the motion does not turn a constraint: [PP92] and its corrections name rest and 2 n_lambda > n_p only, but
/// a linear constraint has no row in L whatever the velocity, and over radial and tangential velocities L is linear in the
/// radial one, which a rod keeps at zero.
void TestIndex::unturnedConstraint_leavesTauOf316Free()
{
    for (const char* name : {"cart-pendulum", "rolling-disc", "polar-pendulum"}) {
        ModelUnderTest subject(name);
        const ModelState state = genericState(subject, 11);
        QVERIFY2(!hasRateRank(subject, state), name);
        QVERIFY2(subject.L(state.t, state.q, state.v).rowwise().norm().minCoeff() < 1e-9, name); // of a velocity solved for
        for (const char* form : {"extended-3.16", "odae-ssf"}) {
            const auto built = formulation::findFormulation(form)->build(subject.system->model(), {});
            QCOMPARE(built.ok(), std::string(name) == "polar-pendulum"); // a zero that no derivative shows is left to the run
            QVERIFY2(built.ok() || built.error().why.find("(3.24)") != std::string::npos, name);
        }
        auto run = run::Run::create(subject.system, {}, stepped("projected-invariants"));
        QVERIFY(run.ok() && (*run)->advanceTo(1));
    }
    auto run = run::Run::create(ModelUnderTest("polar-pendulum").system, {}, stepped("extended-3.16"));
    QVERIFY(run.ok() && !(*run)->advanceTo(1));
    QVERIFY((*run)->status().diagnostic->text().find("(3.24)") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestIndex)
#include "test_index.moc"
