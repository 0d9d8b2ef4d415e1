# The optional domains, in the order in which they add their rows to the tables of the core. cmake/extension.cmake says
# what each word means; docs/architecture.md how to add one.
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
