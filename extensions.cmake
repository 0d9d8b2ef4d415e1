# The optional domains, in the order in which they add their rows to the tables of the core. cmake/extension.cmake says
# what each word means; docs/architecture.md how to add one.
tailback_extension(compare
  FILES host/formats/ibdiagnet2/counters. host/formats/plan/ host/audit/loads/measured. host/audit/changes/built_plan.
    host/audit/changes/planned_cables. host/audit/changes/ports_of_names. host/report/counters/ host/report/plan/
    host/options/compare_rows.cpp host/commands/fabric/compare.cpp host/commands/fabric/plan.
  TESTS tests/formats/cable_plan_test. tests/formats/write_cable_plan_test. tests/audit/counters_test.
    tests/audit/planned_cables_test. tests/fuzz/fuzz_cable_plan.cpp tests/fuzz/fuzz_counters.cpp
  ROWS formats options commands
  HAS command=compare "network file=a plan of cables")
tailback_extension(slurm
  FILES host/api/slurm/ host/options/slurm_rows.cpp host/commands/fabric/topology.cpp
  TESTS tests/api/sinfo_test. tests/commands/topology_test. tests/fuzz/fuzz_jobs.cpp
  ROWS options commands
  HAS command=topology "option of jobs=squeue" "option of place=squeue" "option of place=sinfo")
tailback_extension(orcs
  FILES host/orcs/ host/commands/run/orcs.cpp
  TESTS tests/orcs/ tests/fuzz/fuzz_node_lists.cpp
  ROWS commands
  HAS command=orcs)
tailback_extension(storage
  FILES patterns/families/storage.
  TESTS tests/patterns/storage_test.
  ROWS patterns
  HAS pattern=storage pattern=markov)
tailback_extension(server-centric
  FILES topologies/families/server_centric. topologies/families/server_shapes. topologies/families/proxy_routes.
  TESTS tests/topologies/server_centric_families_test. tests/topologies/proxy_routes_test.
  ROWS topologies
  HAS topology=bcube topology=dcell topology=ficonn topology=hcn topology=bcn topology=dpillar topology=swcube
    topology=knkstar routing=dimensional routing=recursive routing=proxy routing=columns)
tailback_extension(estimate
  FILES host/queueing/ host/report/queueing/ host/options/estimate_rows.cpp host/commands/options/estimate_options.
    host/commands/run/estimate.cpp
  TESTS tests/queueing/
  ROWS options commands
  HAS command=estimate)
tailback_extension(timeline
  FILES host/simulation/timeline. host/report/timeline/ host/options/timeline_row. host/commands/run/timeline_output.
  TESTS tests/commands/timeline_command_test.
  ROWS options commands
  HAS "option of evaluate=timeline")
tailback_extension(schedule
  FILES host/schedule/drawn_value. host/schedule/queue. host/schedule/running_jobs. host/schedule/simulate.
    host/schedule/summary. host/schedule/swf. host/schedule/workload. host/report/schedule/ host/api/schedule.
    host/api/workload. host/api/outcomes/schedule_outcome. host/options/schedule_rows. host/sweep/schedule_point.
    host/commands/jobs/schedule. host/commands/options/schedule_options.
  TESTS tests/schedule/ tests/fuzz/fuzz_workload.cpp
  ROWS options sweep commands
  HAS command=schedule "key of a sweep=workload")
tailback_extension(traces
  FILES host/traffic/traces/
  TESTS tests/traffic/traces_test. tests/traffic/nccl_log_test. tests/traffic/monitoring_live_test.
    tests/traffic/traffic_data_test. tests/traffic/known_traffic.
  ROWS traffic
  HAS "form of traffic=a report of mpiP" "form of traffic=files of Open MPI's monitoring"
    "form of traffic=an archive of PFProf" "form of traffic=a log of NCCL" "form of traffic=an algorithm of MSCCL")
tailback_extension(routers
  FILES host/formats/frr/ host/diagnosis/codes_of_routers.cpp
  TESTS tests/formats/frr_test. tests/formats/foreign_files_test. tests/formats/odd_addresses_test.
    tests/formats/router_ tests/fuzz/fuzz_routers.cpp
  ROWS diagnosis formats
  HAS "kind of folder=frr"
    finding=neighbour-hears-not-back finding=neighbour-ports-differ finding=neighbour-heard-twice
    finding=two-neighbours-on-port finding=cable-not-heard finding=neighbour-without-name
    finding=neighbours-missing finding=routes-missing finding=folder-is-copy finding=device-of-two-names
    finding=swapped-files finding=addresses-of-another-device finding=second-file-differs
    finding=route-not-understood finding=next-hop-incomplete finding=odd-weight finding=lag-member-elsewhere
    finding=black-hole finding=router-without-routes finding=no-route-to-host finding=sends-to-no-neighbour
    finding=router-gone finding=host-not-heard finding=network-elsewhere finding=hosts-on-wrong-routers
    finding=host-without-address finding=address-in-no-network finding=address-outside-network
    finding=address-of-two-hosts finding=address-of-two-routers finding=address-of-two-cables
    finding=address-of-host-and-router finding=address-of-another-host finding=address-elsewhere
    finding=networks-of-cable-differ finding=gateway-not-at-far-end)
