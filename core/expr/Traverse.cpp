#include <unordered_set>

#include "core/expr/Node.h"

namespace driftless::expr {

std::vector<const Expr*> postorder(std::span<const Expr> roots)
{
    std::vector<const Expr*> order;
    std::unordered_set<const Node*> seen;
    std::vector<std::pair<const Expr*, std::size_t>> stack;
    for (const Expr& root : roots) {
        if (seen.insert(&root.node()).second)
            stack.emplace_back(&root, 0);
        while (!stack.empty()) {
            auto& [e, next] = stack.back();
            if (next < e->node().args.size()) {
                const Expr& arg = e->node().args[next++];
                if (seen.insert(&arg.node()).second)
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
