// The commit that this program was built of.
#pragma once

namespace tailback::result {

/// `98353ccf12`, `98353ccf12, changed`; null where it was built of no checkout, as from an archive.
char const* known_commit();

}  // namespace tailback::result
