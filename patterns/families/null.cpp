// null: nothing at all; the quiet partner in a pattern against a pattern.
#include "patterns/families.hpp"

namespace tailback::patterns {

void write_null(FlowListWriter&) {}

}  // namespace tailback::patterns
