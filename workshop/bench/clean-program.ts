/* One step of `npm run bench -- clean`: prints what it took. */
import { randomUUID } from 'node:crypto'
import { writeStagedTexts } from '#server/features/market/descriptions/staged-texts.ts'
import {
  descriptionTask,
  headingTask,
  type TextTask,
} from '#server/features/market/descriptions/text-desk.ts'
import { resolveTaxonomy } from '#server/features/stock-files/match/resolve-taxonomy.ts'
import { compileRowCheck } from '#server/features/stock-files/read/check-row.ts'
import { openSegmentWriter } from '#server/features/stock-files/store/segments.ts'
import { createStagingFile } from '#server/features/stock-files/store/staged-files.ts'
import { toSegmentLine } from '#server/features/stock-files/store/staged-record.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { writeYardFile, yardHeader, yardMapping } from '#tests/support/yard-file.ts'
import type { CleanPlace } from './clean.ts'
import { messyRows } from './messy-files.ts'
import { printTook } from './programs.ts'

type Open = { readonly db: Db; readonly files: FileStore }

const FILE = { root: 'ecomm', path: '/bench.json' } as const
const flagsOff = { test: false, dryRun: false, start: undefined, end: undefined, limit: undefined }

const steps: Record<string, (open: Open, place: CleanPlace) => Promise<object>> = {
  make: makeFile,
  resolve: ({ db, files }) => {
    const inOneTransaction = <T>(work: (trx: Db) => Promise<T>) => db.transaction().execute(work)
    return resolveTaxonomy({ db, files, inOneTransaction }, { ...FILE, version: undefined, by: {} })
  },
  h1: (open) => write(open, headingTask({ ...flagsOff, concurrent: undefined, forceReoptimize: true })),
  description: (open) =>
    write(
      open,
      descriptionTask({
        ...flagsOff,
        concurrent: undefined,
        model: undefined,
        forceOverride: true,
        skipValidation: false,
        continueOnError: true,
        verbose: false,
      }),
    ),
}

/** The rows as a yard's file, for comparison, and the same rows as a staged file, as an import stages them. */
async function makeFile({ db, files }: Open, { csvPath, rows, sellerId }: CleanPlace): Promise<object> {
  const csvBytes = await writeYardFile(csvPath, messyRows(rows, 'bench'))
  const year = new Date().getUTCFullYear()
  const check = compileRowCheck({ header: yardHeader, mapping: yardMapping, defaults: {}, year })
  const writer = openSegmentWriter(files)
  let place = 0
  for (const cells of messyRows(rows, 'bench')) {
    place += 1
    const checked = check(cells)
    if ('issues' in checked) throw new Error(`Row ${place}: ${checked.issues[0]?.message}`)
    const { line, bytes } = toSegmentLine({ id: `0.${place}`, fields: checked.fields, original: cells })
    await writer.add(line, bytes)
  }
  const segments = await writer.finish()
  const columns = Object.keys(yardMapping)
  const file = { ...FILE, sellerId, createdBy: undefined, header: yardHeader, segments, columns }
  await db.transaction().execute((trx) => createStagingFile(trx, { ...file, message: 'Imported' }))
  return { csvBytes }
}

/** As the script does it, without its output: every record gets a text, and all of them become one version. */
async function write({ db, files }: Open, task: TextTask): Promise<object> {
  const { counts } = await writeStagedTexts(
    {
      jobId: randomUUID(),
      source: FILE,
      checkpoint: null,
      signal: new AbortController().signal,
      openai: { apiKey: undefined, baseUrl: undefined, model: 'gpt-5-mini' },
      db,
      files,
      progress: () => undefined,
      saveCheckpoint: async () => undefined,
      askFor: () => Promise.reject(new Error('a benchmark asks nobody')),
      withFence: (work) => db.transaction().execute(work),
    },
    task,
    { report: () => undefined, tell: () => undefined },
  )
  return counts
}

const [step = '', placeJson = ''] = process.argv.slice(2)
const place = JSON.parse(placeJson) as CleanPlace
const { db, close } = openDatabase(place.databaseUrl, { max: 2, applicationName: 'bench' })
const files = await openFileStore({ kind: 'fs', dir: place.filesDir })
await printTook(async () => steps[step]?.({ db, files }, place))
await close()
