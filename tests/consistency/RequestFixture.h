// The start values of a model as a request that fixes none of them.
#pragma once

#include <QtTest>

#include "core/consistency/Consistency.h"

namespace driftless::test {

inline consistency::Request requestOf(const std::shared_ptr<const model::CompiledSystem>& system)
{
    consistency::Request request;
    const auto n = static_cast<std::size_t>(system->n());
    request.q.resize(n);
    request.v.resize(n);
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    request.lambda.resize(static_cast<std::size_t>(system->w()));
    model::SystemEvaluator evaluator(system);
    if (!evaluator.starts(request.q.data(), request.v.data(), request.lambda.data() + system->m()))
        qFatal("%s", evaluator.message().c_str());
    return request;
}

} // namespace driftless::test
