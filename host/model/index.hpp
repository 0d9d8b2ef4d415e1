// What a network's parts are numbered by: the kernels' indices, by the names of the model.
#pragma once

#include "kernels/common/index.hpp"

namespace tailback::model {

using kernels::Host;
using kernels::Link;
using kernels::Node;

}  // namespace tailback::model
