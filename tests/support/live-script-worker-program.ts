/* A worker process of the scripts, for tests that kill one: `node live-script-worker-program.ts <its place as JSON>`. */
import { openDatabase } from '#server/platform/database/database.ts'
import { type ScriptWorkerPlace, startProcessWorker } from './live-script-worker.ts'

const place: ScriptWorkerPlace = JSON.parse(process.argv[2] ?? '')
const { db } = openDatabase(place.url, { max: 5, applicationName: 'test-script-worker' })
await startProcessWorker(db, place)
process.stdout.write('ready\n')
