#include "tests/bench/race/Race.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>

#include <nlohmann/json.hpp>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "tests/bench/Drive.h"
#include "tests/bench/StraightDae.h"

namespace driftless::bench {
namespace {

/// Positions at the end to twenty digits: elliptic functions for the pendulum, extrapolation in quadruple precision for the
/// others (two tolerances agree to 1e-18); published digits agree as far as they go.
struct Problem {
    const char *title, *model;
    std::vector<std::string> straight; ///< forms that IDA is given
    double end;                        ///< [s]
    std::vector<double> reference;     ///< positions, the first unknowns of every form
    std::vector<std::pair<std::string, double>> changed{};
    std::vector<int> dummies{};                              ///< for dummy derivatives
    std::vector<std::pair<std::string, std::string>> ours{}; ///< integrator, formulation
};

const std::vector<std::pair<std::string, std::string>> kOurs{{"dormand-prince", "index-1"},
                                                             {"dop853", "index-1"},
                                                             {"odex", "index-1"},
                                                             {"adams", "index-1"},
                                                             {"radau", "ggl"},
                                                             {"radau", "index-3"},
                                                             {"radau", "index-1"},
                                                             {"radau-9", "ggl"},
                                                             {"radau-9", "index-3"},
                                                             {"radau-9", "index-1"},
                                                             {"radau-13", "ggl"},
                                                             {"radau-13", "index-3"},
                                                             {"radau-13", "index-1"},
                                                             {"bdf", "ggl"},
                                                             {"bdf", "index-1"},
                                                             {"ida", "ggl"},
                                                             {"ida", "index-1"}};

std::vector<Problem> problems()
{
    auto case1 = kOurs;
    for (const char* id : {"dormand-prince", "radau", "radau-9", "radau-13", "bdf", "ida"})
        case1.emplace_back(id, "dummy-derivatives");
    return {
        {"Pendulum, case 1",
         "pendulum",
         {"dummy-derivatives"},
         10,
         {-8.4150969025172853452820636e-02, -9.9645301666065741254266945e-01},
         {{"bob.x", 0.099833416646828152}, {"bob.y", -0.99500416527802577}, {"bob.x'", 0}, {"bob.y'", 0}},
         {1},
         case1},
        {"Pendulum, case 2",
         "pendulum",
         {"ggl", "index-1"},
         10,
         {-4.8363010530359630827236004e-01, -8.7527248399800181654806673e-01},
         {},
         {},
         kOurs},
        {"Slider-crank of SUNDIALS",
         "lagrangian-slider-crank",
         {"ggl", "index-1"},
         10,
         {1.27567584865023940, 1.02357855897983950, -4.98813049182498749e-01},
         {},
         {},
         kOurs},
        {"Andrews' mechanism",
         "lagrangian-andrews",
         {"ggl", "index-1"},
         0.03,
         {1.58107711951537070971e+01, -1.57563710584118394697e+01, 4.08222401196458048583e-02, -5.34730116342079593770e-01,
          5.24409965879954069372e-01, 5.34730116342079593770e-01, 1.04808074104193787307e+00},
         {},
         {},
         kOurs},
        {"Car axis",
         "lagrangian-car-axis",
         {"ggl", "index-1"},
         3,
         {4.934557842752409213153e-02, 4.969894602300081067629e-01, 1.041742524885426115195e+00, 3.739110272653658193579e-01},
         {},
         {},
         kOurs}};
}

constexpr double kAccurateEnough = 3e-11; ///< tighter tolerances only take longer
constexpr std::uint64_t kMostSteps = 200'000;

struct Point {
    std::string who;
    double tolerance = 0, error = 0, seconds = 0;
    long steps = 0;
};

double errorOf(const double* y, const std::vector<double>& reference)
{
    double worst = 0;
    for (std::size_t i = 0; i < reference.size(); ++i)
        worst = std::max(worst, std::abs(y[i] - reference[i]) / (1 + std::abs(reference[i])));
    return worst;
}

/// Of this process [s]: what else the machine does counts little.
double processorTime()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The shortest of several runs of solve(), which returns false when it fails.
template <class Solve>
double shortest(const Solve& solve)
{
    double best = HUGE_VAL, total = 0;
    for (int k = 0; k < 30 && (k < 2 || total < 0.02); ++k) {
        const double from = processorTime();
        if (!solve())
            return HUGE_VAL;
        const double seconds = processorTime() - from;
        best = std::min(best, seconds);
        total += seconds;
        if (total > 0.2)
            break;
    }
    return best;
}

/// IDA as its examples drive it: dense, analytic matrix, multipliers out of the error test.
class Direct {
public:
    explicit Direct(const StraightDae& dae) : dae_(dae)
    {
        SUNContext_Create(nullptr, &context_);
        for (N_Vector* v : {&y_, &yp_, &id_})
            *v = N_VNew_Serial(dae.n, context_);
        A_ = SUNDenseMatrix(dae.n, dae.n, context_);
        linear_ = SUNLinSol_Dense(y_, A_, context_);
        for (int i = 0; i < dae.n; ++i)
            N_VGetArrayPointer(id_)[i] = dae.differential[i] == 'd';
        start();
        ida_ = IDACreate(context_);
        IDAInit(ida_, residual, 0, y_, yp_);
        IDASStolerances(ida_, 1e-6, 1e-6);
        IDASetUserData(ida_, const_cast<StraightDae*>(&dae_));
        IDASetLinearSolver(ida_, linear_, A_);
        IDASetJacFn(ida_, jacobian);
        IDASetId(ida_, id_);
        IDASetSuppressAlg(ida_, SUNTRUE);
        IDASetMaxNumSteps(ida_, static_cast<long>(kMostSteps));
    }
    ~Direct()
    {
        IDAFree(&ida_);
        SUNLinSolFree(linear_);
        SUNMatDestroy(A_);
        for (N_Vector v : {y_, yp_, id_})
            N_VDestroy(v);
        SUNContext_Free(&context_);
    }
    Direct(const Direct&) = delete;
    Direct& operator=(const Direct&) = delete;

    bool solve(double end, double tolerance)
    {
        start();
        IDAReInit(ida_, 0, y_, yp_);
        IDASStolerances(ida_, tolerance, tolerance);
        IDASetStopTime(ida_, end);
        double t = 0;
        return IDASolve(ida_, end, &t, y_, yp_, IDA_NORMAL) >= 0 && t == end;
    }
    const double* y() const { return N_VGetArrayPointer(y_); }
    long steps() const
    {
        long count = 0;
        IDAGetNumSteps(ida_, &count);
        return count;
    }

private:
    static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void* data)
    {
        static_cast<const StraightDae*>(data)->residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                                                        N_VGetArrayPointer(F));
        return 0;
    }
    static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
                        N_Vector)
    {
        static_cast<const StraightDae*>(data)->matrix(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), c,
                                                      SUNDenseMatrix_Data(J));
        return 0;
    }
    void start()
    {
        std::copy_n(dae_.y0, dae_.n, N_VGetArrayPointer(y_));
        std::copy_n(dae_.yp0, dae_.n, N_VGetArrayPointer(yp_));
    }

    const StraightDae& dae_;
    SUNContext context_ = nullptr;
    N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr;
    SUNMatrix A_ = nullptr;
    SUNLinearSolver linear_ = nullptr;
    void* ida_ = nullptr;
};

std::vector<double> tolerances()
{
    std::vector<double> list;
    for (int k = 6; k <= 28; ++k) // 1e-3 to 1e-14
        list.push_back(std::pow(10.0, -0.5 * k));
    return list;
}

void raceStraight(const Problem& p, std::vector<Point>& points)
{
    for (const auto& form : p.straight)
        for (const StraightDae& dae : straightDaes())
            if (dae.name == std::string(p.model) + " of " + form) {
                Direct direct(dae);
                for (const double tolerance : tolerances()) {
                    const double seconds = shortest([&] { return direct.solve(p.end, tolerance); });
                    if (seconds < HUGE_VAL)
                        points.push_back(
                            {"IDA, straight C, " + form, tolerance, errorOf(direct.y(), p.reference), seconds, direct.steps()});
                    if (!points.empty() && (seconds == HUGE_VAL || points.back().error < kAccurateEnough))
                        break;
                }
            }
}

void raceOurs(const Problem& p, std::vector<Point>& points)
{
    const auto compiled = compiledModel(p.model);
    for (const auto& [method, form] : p.ours) {
        if (!integrate::findIntegrator(method))
            continue;
        formulation::Dummies dummies;
        if (form == "dummy-derivatives")
            dummies.positions = dummies.velocities = p.dummies;
        Driven driven(compiled, form, method, {.step = 0}, p.changed, dummies);
        for (const double tolerance : tolerances()) {
            integrate::IntegratorOptions options;
            options.step = 0;
            options.relativeTolerance = options.absoluteTolerance = tolerance;
            if (!driven.integrator->setOptions(options))
                continue;
            std::uint64_t before = 0;
            const double seconds = shortest([&] {
                before = driven.integrator->statistics().steps;
                driven.restart();
                while (driven.integrator->t() < p.end)
                    if (driven.integrator->step(p.end).status != integrate::StepStatus::Accepted
                        || driven.integrator->statistics().steps - before > kMostSteps)
                        return false;
                return true;
            });
            if (seconds < HUGE_VAL)
                points.push_back({method + ", " + form, tolerance, errorOf(driven.integrator->y().data(), p.reference), seconds,
                                  static_cast<long>(driven.integrator->statistics().steps - before)});
            if (seconds == HUGE_VAL || points.back().error < kAccurateEnough)
                break;
        }
    }
}

/// The shortest time among the points that are accurate enough, of one side.
const Point* best(const std::vector<Point>& points, double accuracy, bool straight, const std::string& form = {})
{
    const Point* found = nullptr;
    for (const Point& p : points)
        if ((p.who.rfind("IDA", 0) == 0) == straight && p.error <= accuracy && (!found || p.seconds < found->seconds)
            && (form.empty() || p.who.find(form) != std::string::npos))
            found = &p;
    return found;
}

std::string milliseconds(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", seconds * 1e3);
    return text;
}

} // namespace

std::string race(std::string& json)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    std::string page = "| problem | accuracy | IDA on straight C | ms | best of ours | ms | ratio | ours on the same form | ms "
                       "|\n|---|---|---|---|---|---|---|---|---|\n";
    for (const Problem& p : problems()) {
        std::vector<Point> points;
        std::fprintf(stderr, "%s\n", p.title);
        raceStraight(p, points);
        raceOurs(p, points);
        for (const Point& point : points)
            all.push_back({{"problem", p.title},
                           {"who", point.who},
                           {"tolerance", point.tolerance},
                           {"error", point.error},
                           {"seconds", point.seconds},
                           {"steps", point.steps}});
        for (const double accuracy : {1e-4, 1e-7, 1e-10}) {
            const Point* theirs = best(points, accuracy, true);
            const Point* ours = best(points, accuracy, false);
            const Point* same = best(points, accuracy, false, p.straight.front());
            char line[64];
            std::snprintf(line, sizeof line, "%.0e", accuracy);
            page += "| " + std::string(p.title) + " | " + line + " | " + (theirs ? theirs->who.substr(17) : "not reached")
                    + " | " + (theirs ? milliseconds(theirs->seconds) : "") + " | " + (ours ? ours->who : "not reached") + " | "
                    + (ours ? milliseconds(ours->seconds) : "") + " | ";
            if (theirs && ours) {
                std::snprintf(line, sizeof line, "%.2f", ours->seconds / theirs->seconds);
                page += line;
            }
            page += " | " + (same ? same->who : "") + " | " + (same ? milliseconds(same->seconds) : "") + " |\n";
        }
    }
    json = all.dump(1) + "\n";
    return page;
}

} // namespace driftless::bench
