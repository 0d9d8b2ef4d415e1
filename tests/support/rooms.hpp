// The names of all rooms without their namespaces, for tests.
#pragma once

namespace tailback {

// clang-format off
namespace kernels {}    namespace base {}   namespace io {}     namespace diagnosis {}   namespace model {}   namespace patterns {}
namespace formats {}    namespace topologies {}   namespace study {}   namespace search {}   namespace simulation {}   namespace evaluation {}   namespace queueing {}
namespace schedule {}   namespace audit {}
namespace orcs {}       namespace result {}   namespace report {}   namespace api {}   namespace sweep {}   namespace commands {}
// clang-format on

using namespace kernels;
using namespace base;
using namespace io;
using namespace diagnosis;
using namespace model;
using namespace patterns;
using namespace formats;
using namespace topologies;
using namespace study;
using namespace search;
using namespace simulation;
using namespace evaluation;
using namespace queueing;
using namespace schedule;
using namespace audit;
using namespace orcs;
using namespace result;
using namespace report;
using namespace api;
using namespace sweep;
using namespace commands;

}  // namespace tailback
