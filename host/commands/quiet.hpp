// `--quiet`, which every command takes.
#pragma once

namespace tailback {

/// From now on `tell` keeps notes and what was done to itself; warnings and errors are told.
void tell_warnings_alone();

}  // namespace tailback
