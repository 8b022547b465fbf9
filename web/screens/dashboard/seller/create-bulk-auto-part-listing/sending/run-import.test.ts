import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { standardDialect } from '#contract/yard-file/reading.ts'
import {
  beginRun,
  findRun,
  keepRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/import-memory.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RunOrder } from './import-run.ts'
import { pauseSwitch } from './pause-switch.ts'
import { runContent } from './run-content.ts'
import { runCourse } from './run-course.ts'

const kept = new Map<string, string>()
vi.stubGlobal('window', new EventTarget())
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
})
const { runImport } = await import('./run-import.ts')
afterAll(() => void vi.unstubAllGlobals())
beforeEach(() => kept.clear())

const reading: ImportFile['reading'] = {
  ...standardDialect,
  encoding: 'utf-8',
  headerRow: 1,
  layout: 'plain',
  decimals: {},
  rowOffset: 0,
}
const headers = ['name', 'price']
const file: ImportFile = {
  file: new File(['name,price\nDoor,40\nHood,55\n'], 'stock.csv'),
  detection: { reading, header: headers, rows: [], alternatives: [], notes: [] },
  reading,
  sheets: [],
  headers,
  samples: [],
  records: 2,
  characters: 16,
  densest: 16,
  decimals: {},
  undecided: [],
  notes: [],
}
const order: RunOrder = {
  file,
  mapping: {},
  defaults: {},
  mode: 'add',
  dryRun: false,
  chunkSize: 1,
  concurrency: 1,
  edits: new Map(),
  staging: { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-21' },
}

const reply = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const gone = () => reply(404, { ok: false, error: 'There is no such import.', code: 'NOT_FOUND' })

/** A server that knows nothing of earlier imports. Reports the address of every call. */
function serverWithout(onChunk: (index: number) => Response): string[] {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (address: string, { body }: { body: unknown }) => {
    calls.push(address.replace(/\?.*/, ''))
    return body instanceof FormData ? onChunk(Number(body.get('chunkIndex'))) : gone()
  })
  return calls
}

const run = () =>
  runImport(order, {
    signal: new AbortController().signal,
    pause: pauseSwitch(),
    course: runCourse(() => undefined),
  })

test('an import that is gone is sent again, and the results are those of the new one', async () => {
  keepRun({ ...beginRun(runContent(order)), importId: 'gone' })
  const calls = serverWithout(() => reply(200, { ok: true, importId: 'new' }))
  expect(await run()).toMatchObject({ step: 'sent', importId: 'new' })
  expect(calls.filter((address) => address.includes('gone'))).toHaveLength(1)
  expect(calls).toHaveLength(3)
  expect(findRun(runContent(order))).toBeUndefined()
})

test('cut off again, the run goes on with the new import', async () => {
  const { key } = beginRun(runContent(order))
  keepRun({ content: runContent(order), key, importId: 'gone' })
  serverWithout((index) =>
    index === 0
      ? reply(200, { ok: true, importId: 'new' })
      : reply(422, { ok: false, error: 'No.', code: 'VALIDATION_FAILED' }),
  )
  await expect(run()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(findRun(runContent(order))).toMatchObject({ key, importId: 'new' })
})
