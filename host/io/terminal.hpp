// How wide the terminal is.
#pragma once

#include <cstddef>

namespace tailback::io {

inline constexpr std::size_t usual_columns = 80;
inline constexpr std::size_t file_columns = 100;  ///< of text in files and pipes, which have no edge of their own

/// Columns of the terminal behind a descriptor: what it says itself, else what COLUMNS says, held within 60 and 200;
/// `otherwise` where neither does (as under mpirun), and where there is no terminal.
std::size_t terminal_columns(int descriptor, std::size_t otherwise = usual_columns);
/// Of help and lists on standard output, which are laid out for 80 columns and more.
std::size_t help_columns();

}  // namespace tailback::io
