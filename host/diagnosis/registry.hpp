// What extensions add to the table of codes.
#pragma once

#include "host/diagnosis/code.hpp"

#include <vector>

namespace tailback::diagnosis {

/// What a code is called, and what is to be done, where IP routers have the tables: no subnet manager, no LIDs.
struct WordsOfIp {
    Code code;
    char const *title, *remedy;
};

struct Registry {
    std::vector<CodeInfo> codes;        ///< in any order: the enumeration has it
    std::vector<CodeInfo> codes_of_ip;  ///< the same, of what is advised for networks of IP routers alone
    std::vector<WordsOfIp> words_of_ip;
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);
/// Is the advice of a code for networks of IP routers? Other codes have InfiniBand's remedies.
bool is_of_ip(Code code);
/// Null for codes whose rows are of IP routers, or say all for both.
WordsOfIp const* words_of_ip(Code code);

}  // namespace tailback::diagnosis
