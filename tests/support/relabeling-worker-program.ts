/*
 * A worker process that has listings follow their lookups, for tests that kill one: `node relabeling-worker-program.ts
 * <database address> <times as JSON>`.
 */
import { pino } from 'pino'
import { relabelingJobs } from '#server/features/market/relabeling/jobs.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'

const [url = '', times = '{}'] = process.argv.slice(2)
const log = pino({ level: 'error', base: { pid: process.pid } }, pino.destination({ fd: 2, sync: true }))
const { db } = openDatabase(url, { max: 5, applicationName: 'test-relabeling-worker', log })
await startJobEngine({
  url,
  directUrl: url,
  db,
  log,
  definitions: relabelingJobs(db),
  periodic: [],
  times: JSON.parse(times),
})
process.stdout.write('ready\n')
