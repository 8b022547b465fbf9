/*
 * A worker process that plans promotions and makes them live, for tests that kill one: `node ingest-worker-program.ts
 * <database address> <data folder> <times as JSON>`. It says when it has loaded, begins at a word, and says so too.
 */
import { once } from 'node:events'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { promotionJobs } from '#server/features/stock-files/jobs.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'

const [url = '', dataDir = '', times = '{}'] = process.argv.slice(2)
const log = pino({ level: 'error', base: { pid: process.pid } }, pino.destination({ fd: 2, sync: true }))
const { db } = openDatabase(url, { max: 5, applicationName: 'test-ingest-worker', log })
const { storage, ...letterhead } = readConfig({ APP_MODE: 'demo', DATABASE_URL: url, DATA_DIR: dataDir })
const files = await openFileStore(storage)
const now = () => new Date()
process.stdout.write('loaded\n')
await once(process.stdin, 'data')
await startJobEngine({
  url,
  directUrl: url,
  db,
  log,
  definitions: promotionJobs({
    db,
    plans: db,
    files,
    now,
    letterhead,
    reviewsNothing: false,
    firstImport: { live: 500, waitMinutes: 0 },
  }),
  periodic: [],
  times: JSON.parse(times),
})
process.stdout.write('begun\n')
