// driftless pencil: the linear DAE laboratory, for a file of matrices or for a model linearised in a formulation at a time.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/RunOptions.h"
#include "core/equations/EquationModel.h"
#include "core/expr/Print.h"
#include "core/integrate/Integrator.h"
#include "core/pencil/LinearDaeFile.h"
#include "core/pencil/Pencil.h"
#include "core/run/Linearise.h"
#include "core/run/Run.h"
#include "core/run/Times.h"
#include "core/system/ShippedModels.h"
#include "core/text/RegularFile.h"
#include "core/text/TomlValue.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct PencilOptions {
    RunOptions run; ///< run.model: the file
    std::optional<double> tolerance, time;
};

ordered_json matrixJson(const pencil::Matrix& m)
{
    ordered_json rows = ordered_json::array();
    for (int i = 0; i < m.rows; ++i) {
        ordered_json row = ordered_json::array();
        for (int j = 0; j < m.columns; ++j)
            row.push_back(finiteJson(m(i, j)));
        rows.push_back(std::move(row));
    }
    return rows;
}

ordered_json fractionsJson(const std::vector<std::string>& values, int columns)
{
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < values.size(); i += static_cast<std::size_t>(columns))
        rows.push_back(std::vector<std::string>(values.begin() + static_cast<std::ptrdiff_t>(i),
                                                values.begin() + static_cast<std::ptrdiff_t>(i) + columns));
    return rows;
}

std::vector<std::string> texts(const std::vector<expr::Expr>& expressions)
{
    std::vector<std::string> out;
    for (const expr::Expr& e : expressions)
        out.push_back(expr::print(e));
    return out;
}

ordered_json stepsJson(const pencil::Analysis& a)
{
    ordered_json out = ordered_json::array();
    int k = 0;
    for (const pencil::ReductionStep& s : a.steps) {
        ordered_json step{{"step", k++}, {"rank", s.rank}};
        if (!s.E.empty()) {
            step["L"] = fractionsJson(s.L, a.n);
            step["U"] = fractionsJson(s.U, a.n);
            step["E"] = fractionsJson(s.E, a.n);
            step["A"] = fractionsJson(s.A, a.n);
        }
        if (!s.f.empty())
            step["f"] = texts(s.f);
        step["constraints"] = s.constraints;
        out.push_back(std::move(step));
    }
    for (const pencil::RankDecision& d : a.decisions)
        out.push_back({{"step", k++},
                       {"matrix", d.matrix},
                       {"rank", d.rank},
                       {"of", d.full},
                       {"smallest_kept", finiteJson(d.kept)},
                       {"largest_dropped", finiteJson(d.dropped)},
                       {"gap", finiteJson(d.gap)},
                       {"tolerance", finiteJson(d.tolerance)}});
    return out;
}

/// A solution at these points in time is enough for a reader; the numbers are from all of them.
constexpr std::size_t kShownEvery = 4;

ordered_json solutionJson(const pencil::Analysis& a)
{
    ordered_json out = ordered_json::object();
    if (a.solution) {
        const pencil::Solution& s = *a.solution;
        out["end"] = s.end;
        out["closed_form_error_estimate"] = finiteJson(s.closedEstimate);
        if (!s.numerical.empty()) {
            out["difference"] = finiteJson(s.difference);
            out["numerical_error_estimate"] = finiteJson(s.estimate);
        }
        out["samples"] = ordered_json::array();
        for (std::size_t k = 0; k < s.t.size(); k += kShownEvery) {
            ordered_json sample{{"t", s.t[k]}, {"closed_form", s.closed[k]}};
            if (!s.numerical.empty())
                sample["numerical"] = s.numerical[k];
            out["samples"].push_back(std::move(sample));
        }
    }
    if (!a.solutionNote.empty())
        out["note"] = a.solutionNote;
    return out;
}

void addForm(const pencil::Analysis& a, ordered_json& out)
{
    out["P"] = matrixJson(a.P);
    out["Q"] = matrixJson(a.Q);
    out["N"] = matrixJson(a.N);
    out["J"] = matrixJson(a.J);
    if (a.P.values.empty())
        out["J_form"] = ordered_json(); // no form is given: "why" says why not
    else
        out["J_form"] = a.jordan ? "real Jordan" : "real Schur";
    out["form_residual"] = finiteJson(a.formResidual);
    if (!a.exactP.empty())
        out["exact_form"] = {{"P", fractionsJson(a.exactP, a.n)},
                             {"Q", fractionsJson(a.exactQ, a.n)},
                             {"J", fractionsJson(a.exactJ, std::max(a.n2, 1))}};
    out["consistency"] = {{"rows", matrixJson(a.constraintRows)},
                          {"values", texts(a.constraints)},
                          {"free", a.n2},
                          {"given_is_consistent", a.start.empty() ? ordered_json() : ordered_json(a.startWasConsistent)},
                          {"start", a.start}};
    out["solution"] = solutionJson(a);
}

ordered_json analysisJson(const pencil::Analysis& a)
{
    ordered_json out{{"n", a.n},
                     {"regular", a.regular},
                     {"kronecker_index", ordered_json()},
                     {"finite_eigenvalues", ordered_json::array()},
                     {"n1", ordered_json()},
                     {"n2", ordered_json()},
                     {"nilpotent_blocks", ordered_json::array()},
                     {"rank_E", a.rankE},
                     {"steps", stepsJson(a)},
                     {"exact", a.exact},
                     {"uncertain", a.uncertain},
                     {"tolerance", a.tolerance},
                     {"why", a.why}};
    if (a.exact)
        out["determinant"] = a.determinant;
    if (!a.regular)
        return out;
    out["kronecker_index"] = a.index;
    out["n1"] = a.n1;
    out["n2"] = a.n2;
    out["nilpotent_blocks"] = a.nilpotentBlocks;
    out["infinite_eigenvalues"] = a.n1;
    for (const auto& [re, im] : a.eigenvalues)
        out["finite_eigenvalues"].push_back({finiteJson(re), finiteJson(im)});
    addForm(a, out);
    return out;
}

pencil::LinearDae systemOf(const model::LinearDaeFile& file)
{
    pencil::LinearDae out;
    out.n = file.n;
    out.E = out.A = pencil::Matrix(file.n, file.n);
    const bool exact = file.exact();
    for (std::size_t i = 0; i < file.E.size(); ++i) {
        out.E.values[i] = file.E[i].value;
        out.A.values[i] = file.A[i].value;
        if (exact) {
            out.exactE.push_back(file.E[i].fraction);
            out.exactA.push_back(file.A[i].fraction);
        }
    }
    out.f = file.f;
    out.x0 = file.x0;
    out.end = file.end;
    return out;
}

/// A linear DAE states E; what is no such file is a model.
bool namesModel(const PencilOptions& options)
{
    const RunOptions& run = options.run;
    if (options.time || run.formulation || run.integrator || !run.set.empty())
        return true;
    if (model::namesEquationModel(run.model))
        return true;
    const auto shipped = model::shippedModels();
    if (std::any_of(shipped.begin(), shipped.end(), [&](const model::ShippedModel& m) { return m.id == run.model; }))
        return true;
    const auto text = readRegularFile(run.model, model::LinearDaeLimits{}.maxBytes);
    if (!text)
        return false;
    const auto root = model::parseToml(*text, run.model);
    return root && !root->find("E") && !root->find("A") && root->find("format");
}

ordered_json rowsOf(const std::vector<double>& values, int n)
{
    pencil::Matrix m(n, n);
    m.values = values;
    return matrixJson(m);
}

int showModel(const PencilOptions& options)
{
    const auto prepared = prepareRun(options.run);
    if (!prepared)
        return complain(prepared.error());
    const double time = options.time.value_or(0);
    if (const auto possible = run::checkTime(time, "--time"); !possible)
        return complain(possible.error());
    if (const auto possible = run::checkSteps(*integrate::findIntegrator(prepared->settings.integrator),
                                              prepared->settings.options, time, "--step");
        !possible)
        return complain(possible.error());
    auto created = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!created)
        return complain(created.error());
    if (time > 0 && !(*created)->advanceTo(time)) {
        const auto status = (*created)->status();
        complain(status.diagnostic.value_or(Diagnostic{.what = "The run did not reach t"}));
        return kExitNumericalFailure;
    }
    const auto linear = run::linearise(prepared->system, (*created)->status(), (*created)->recording(), time);
    if (!linear)
        return complain(linear.error());
    pencil::LinearDae system;
    system.n = linear->n();
    system.E = system.A = pencil::Matrix(system.n, system.n);
    system.E.values = linear->E;
    system.A.values = linear->A;
    system.f.assign(static_cast<std::size_t>(system.n), expr::Expr(0));
    const auto analysis = pencil::analyse(system, {options.tolerance.value_or(0)});
    if (!analysis)
        return complain(analysis.error());
    ordered_json out{{"model", prepared->system->model().name},
                     {"formulation", linear->formulation},
                     {"index", linear->index},
                     {"time", linear->t},
                     {"unknowns", linear->unknowns},
                     {"rows", linear->rows},
                     {"values", linear->y},
                     {"E", rowsOf(linear->E, system.n)},
                     {"A", rowsOf(linear->A, system.n)},
                     {"residual", finiteJson(linear->residual)},
                     {"note", linear->note}};
    out.update(analysisJson(*analysis));
    return printJson(out) ? kExitDone : kExitBadInput;
}

int showFile(const PencilOptions& options)
{
    const auto file = model::openLinearDae(options.run.model);
    if (!file)
        return complain(file.error());
    const auto analysis = pencil::analyse(systemOf(*file), {options.tolerance.value_or(0)});
    if (!analysis)
        return complain(analysis.error());
    return printJson(analysisJson(*analysis)) ? kExitDone : kExitBadInput;
}

int showPencil(const PencilOptions& options)
{
    if (options.tolerance && !(*options.tolerance > 0 && *options.tolerance < 1))
        return complain({.what = "The tolerance must lie between 0 and 1",
                         .where = "--tolerance",
                         .why = "it is relative to the norms of E and A",
                         .remedy = "a value such as 1e-10"});
    return namesModel(options) ? showModel(options) : showFile(options);
}

} // namespace

void addPencilCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<PencilOptions>();
    auto* command = root.add_subcommand(
        "pencil", "A linear DAE E x' = A x + f(t): regularity, Kronecker index, Weierstrass form, solution");
    command
        ->add_option("FILE", options->run.model,
                     "TOML file with E, A and optionally f, x0 and end; or a model, which is linearised at --time")
        ->required();
    addNumberOption(*command, "--tolerance", options->tolerance,
                    "Singular values below this, relative to the norm, count as zero; turns exact arithmetic off");
    addNumberOption(*command, "--time", options->time, "Of a model: where its motion is linearised [s]");
    addRunOptions(*command, options->run);
    command->callback([options, &exitCode] { exitCode = showPencil(*options); });
}

} // namespace driftless::app
