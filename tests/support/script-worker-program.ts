/*
 * A worker process for tests that kill one while it runs scripts: `node script-worker-program.ts <database address>
 * <folder of files>`.
 */
import { pino } from 'pino'
import { openDatabase } from '#server/platform/database/database.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { badScriptJob } from './script-definitions.ts'

const [url = '', files = ''] = process.argv.slice(2)
const log = pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true }))
const { db } = openDatabase(url, { max: 5, applicationName: 'test-worker', log })
await startJobEngine({
  url,
  directUrl: url,
  db,
  log,
  definitions: [badScriptJob(url, files)],
  periodic: [],
  times: { pollMs: 50 },
})
process.stdout.write('ready\n')
