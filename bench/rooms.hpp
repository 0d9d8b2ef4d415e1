// The names of the rooms that benchmarks use, without their namespaces.
#pragma once

namespace tailback {

namespace kernels {}
namespace base {}
namespace io {}
namespace model {}
namespace patterns {}
namespace formats {}
namespace topologies {}
namespace study {}
namespace evaluation {}
namespace audit {}
namespace api {}

using namespace kernels;
using namespace base;
using namespace io;
using namespace model;
using namespace patterns;
using namespace formats;
using namespace topologies;
using namespace study;
using namespace evaluation;
using namespace audit;
using namespace api;

}  // namespace tailback
