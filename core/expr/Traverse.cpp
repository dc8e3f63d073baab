
#include "core/expr/NodeMap.h"

namespace driftless::expr {

std::vector<const Expr*> postorder(std::span<const Expr> roots)
{
    std::vector<const Expr*> order;
    NodeMap<char> seen(4 * roots.size());
    std::vector<std::pair<const Expr*, std::size_t>> stack;
    for (const Expr& root : roots) {
        if (seen.emplace(&root.node(), 1))
            stack.emplace_back(&root, 0);
        while (!stack.empty()) {
            auto& [e, next] = stack.back();
            if (next < e->node().args.size()) {
                const Expr& arg = e->node().args[next++];
                if (seen.emplace(&arg.node(), 1))
                    stack.emplace_back(&arg, 0);
            } else {
                order.push_back(e);
                stack.pop_back();
            }
        }
    }
    return order;
}

} // namespace driftless::expr
