#include "host/audit/findings/finding.hpp"

#include <algorithm>

namespace tailback::audit {

bool Finding::has_kind(FindingKind wanted) const {
    return kind == wanted ||
           std::any_of(symptoms.begin(), symptoms.end(), [&](Finding const& one) { return one.has_kind(wanted); });
}

bool Finding::has_code(Code wanted) const {
    return code == wanted ||
           std::any_of(symptoms.begin(), symptoms.end(), [&](Finding const& one) { return one.has_code(wanted); });
}

std::string port_location(model::Network const& network, model::Node node, model::Port port) {
    return network.describe(node) + network.port_text(node, port);
}

Finding finding_at(Code code, model::Network const& net, model::Node node, model::Port port, std::string message) {
    return Finding(code, port == 0 ? net.describe(node) : port_location(net, node, port), 0, std::move(message), node,
                   port);
}

}  // namespace tailback::audit
