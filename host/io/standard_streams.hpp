// What a program must see to before it opens its first file.
#pragma once

namespace tailback::io {

/// Makes writing to a closed pipe an error instead of a death (SIGPIPE is ignored), and fills closed standard
/// descriptors (`>&-`), so that no file the program opens is mistaken for one of them.
void secure_standard_streams();

}  // namespace tailback::io
