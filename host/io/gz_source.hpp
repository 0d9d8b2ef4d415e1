// Unpacks what gzip packed.
#pragma once

#include "host/io/line_reader.hpp"

#include <memory>
#include <string>

namespace tailback::io {

/// Is it built in?
bool unpacks_gz();

/// One stream of gzip or several, one after the other. @throws InputError, also where it was built without zlib.
std::unique_ptr<ByteSource> unpacked_gz(std::unique_ptr<ByteSource> packed, std::string const& name);

}  // namespace tailback::io
