/* What failures of processes, of the database and of connections do to an installation. Exits with 1 when anything broke. */

const scenarios: Readonly<Record<string, (args: string[]) => Promise<boolean>>> = {
  start: async (args) => (await import('./start.ts')).chaosStart(args),
  kills: async (args) => (await import('./api-kills.ts')).chaosApiKills(args),
  disk: async (args) => (await import('./full-disk.ts')).chaosFullDisk(args),
  import: async (args) => (await import('./import.ts')).chaosImport(args),
  wizard: async (args) => (await import('./wizard.ts')).chaosWizard(args),
  jobs: async (args) => (await import('./jobs.ts')).chaosJobs(args),
  orders: async (args) => (await import('./orders.ts')).chaosOrders(args),
  container: async () => (await import('./container.ts')).chaosContainer(),
  'going-live': async () => (await import('./going-live.ts')).chaosGoingLive(),
  rolling: async (args) => (await import('./rolling.ts')).chaosRolling(args),
  fleet: async (args) => (await import('./fleet.ts')).chaosFleet(args),
  soak: async (args) => (await import('./soak.ts')).chaosSoak(args),
  archive: async (args) => (await import('./archive.ts')).chaosArchive(args),
  pooled: async (args) => (await import('./long-tests.ts')).runPooledTests(args),
  s3: async (args) => (await import('./long-tests.ts')).runTestsOnS3(args),
  tests: async () => (await import('./long-tests.ts')).runLongTests(),
}

const USAGE = `Usage: npm run chaos -- <scenario> [options]
  start [rounds]                                        processes killed while the program starts
  kills [10]                                            the api killed every 24 s, and how long it is away
  disk [files|database]                                 full disks of the files and of the database; needs root
  import [--seeds 30] [--seed 9,14] [--rows 10000] [--chunks 10] [--disturbances 3] [--stop-seconds 40]
  wizard [--seeds 5] [--seed 9,14] [--rows 10000] [--chunk-size 500] [--troubles 6]
  jobs [--seed 1] [--jobs 1000] [--seconds 330] [--worker-kills 20] [--api-kills 5] [--database-kills 2]
       [--stops 5] [--stop-seconds 40] [--quick]
  orders [--seed 1] [--purchases 1000] [--parts 300] [--buyers 50] [--kills 20] [--seconds 300] [--whole: until that many orders are placed]
                                                        a crowd buys while processes and the payment provider are killed
  container                                             the Dockerfile's steps, and its program as nobody; needs root
  going-live                                            docs/going-live.md as a new operator does it, up to Stripe; needs root
  rolling [--from <tag or commit>] [--seconds 8]        the previous version beside the new schema, then replaced, under load
  fleet [--users 200] [--pause-ms 1000] [--seconds 15] [--promote]
                                                        HAProxy, 2 api, 2 workers, PgBouncer, a replica, S3: one of each
                                                        is killed; the primary is away for 30 s, or the replica promoted
  soak [minutes] [--users 20] [--picture soak.svg]      mixed load with imports for 60 minutes: what should stay flat, drawn
  archive [--from <tag or commit>]                      writes what the previous release stored, for the test of upgrades
  pooled [tests/api/x.test.ts …]                        the tests of the API with PgBouncer before the database
  s3 [tests/api/x.test.ts …]                            the tests of the API with the files in a bucket
  tests                                                 tests of the suite with random parts, at full length`

const [name = '', ...args] = process.argv.slice(2)
const scenario = scenarios[name]
if (!scenario) console.error(USAGE)
process.exit((await scenario?.(args)) ? 0 : 1)
