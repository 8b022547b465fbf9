/*
 * A worker process that has listings follow their lookups, for tests that kill one: `node relabelling-worker-program.ts
 * <database address> <times as JSON>`.
 */
import { pino } from 'pino'
import { relabellingJobs } from '#server/features/relabelling/jobs.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'

const [url = '', times = '{}'] = process.argv.slice(2)
const log = pino({ level: 'error', base: { pid: process.pid } }, pino.destination({ fd: 2, sync: true }))
const { db } = openDatabase(url, { max: 5, applicationName: 'test-relabelling-worker', log })
await startJobEngine({
  url,
  directUrl: url,
  db,
  log,
  definitions: relabellingJobs(db),
  periodic: [],
  times: JSON.parse(times),
})
process.stdout.write('ready\n')
