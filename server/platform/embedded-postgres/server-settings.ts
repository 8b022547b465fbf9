/** Parameters of the embedded server, for a small machine (2 cores, 4 GB) that also runs the program itself. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // The path of a socket in the data folder can be longer than the system's limit of about 100 characters.
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Start, stop, crashes and refused connections; not the errors of single statements, whose texts can hold values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // api (20) and worker (22: 14 for handlers, 4 for plans, 3 for the engine, 1 for notices), with room for more, tools, and
  // tests that run several programs at once.
  max_connections: '200',
  // The hot part of 500,000 listings and their indexes; a quarter of the memory of the smallest machine is 1 GB.
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  // Sorting 50,000 search matches stays in memory; 30 connections at once still fit.
  work_mem: '16MB',
  // Building a GIN index over a large import.
  maintenance_work_mem: '128MB',
  // Fewer full-page images during an import of a million rows.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  // Solid-state disks: an index page costs little more than a sequential one.
  random_page_cost: '1.1',
  // Our queries take milliseconds; compiling one would take a hundred.
  jit: 'off',
  // One request must not take both cores.
  max_parallel_workers_per_gather: '1',
} as const

/** For tests: data that nobody misses after a power cut is written four times as fast. */
const WITHOUT_SAFETY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } as const

export function serverArguments(options: { dataDir: string; port: number; fast: boolean }): string[] {
  const settings = { ...SETTINGS, ...(options.fast ? WITHOUT_SAFETY : {}) }
  return [
    '-D',
    options.dataDir,
    '-p',
    String(options.port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
