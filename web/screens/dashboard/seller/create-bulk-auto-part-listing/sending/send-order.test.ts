import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { standardDialect } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  beginRun,
  findRun,
  keepRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import type { Chunk } from './file-chunks.ts'
import { orderContent, type RunOrder } from './run-order.ts'
import { runTracker } from './run-progress.ts'
import { pauseSwitch, uploadChunks } from './send-order.ts'

const signal = new AbortController().signal
const goOn = () => Promise.resolve()

async function* chunks(count: number): AsyncGenerator<Chunk, undefined> {
  for (let index = 0; index < count; index++) {
    yield { index, records: 1, firstRow: index + 2, characters: 1, content: async () => new Blob() }
  }
}

test.each([1, 2, 5])('at most %i are sent at once', async (concurrency) => {
  let now = 0
  let most = 0
  const sent: number[] = []
  const send = async ({ index }: Chunk) => {
    sent.push(index)
    most = Math.max(most, ++now)
    await new Promise((done) => setTimeout(done, 1))
    now--
  }
  await uploadChunks({ chunks: chunks(12), concurrency, signal, untilMayGoOn: goOn, send })
  expect(most).toBe(concurrency)
  expect(sent.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, index) => index))
})

describe('ends', () => {
  test('at the first failure, which aborts the chunks being sent', async () => {
    const aborted: unknown[] = []
    const send = (chunk: Chunk, ended: AbortSignal) =>
      new Promise<void>((_, refuse) => {
        ended.addEventListener('abort', () => aborted.push(chunk.index))
        if (chunk.index === 1) refuse(new Error('refused'))
      })
    await expect(
      uploadChunks({ chunks: chunks(3), concurrency: 2, signal, untilMayGoOn: goOn, send }),
    ).rejects.toThrow('refused')
    expect(aborted).toContain(0)
  })

  test('when canceled during a pause', async () => {
    const cancel = new AbortController()
    let sent = 0
    const uploading = uploadChunks({
      chunks: chunks(9),
      concurrency: 2,
      signal: cancel.signal,
      untilMayGoOn: async () => (sent === 0 ? undefined : cancel.abort(new Error('cancelled'))),
      send: async () => void sent++,
    })
    await expect(uploading).rejects.toThrow('cancelled')
    expect(sent).toBeLessThanOrEqual(2)
  })
})

const kept = new Map<string, string>()
vi.stubGlobal('window', new EventTarget())
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
})
const { sendOrder } = await import('./send-order.ts')
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
const sentFile: ImportFile = {
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
const sentOrder: RunOrder = {
  file: sentFile,
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

/** A server without any earlier import. Returns the address of every call. */
function serverWithout(onChunk: (index: number) => Response): string[] {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (address: string, { body }: { body: unknown }) => {
    calls.push(address.replace(/\?.*/, ''))
    return body instanceof FormData ? onChunk(Number(body.get('chunkIndex'))) : gone()
  })
  return calls
}

const run = () =>
  sendOrder(sentOrder, {
    signal: new AbortController().signal,
    pause: pauseSwitch(),
    tracker: runTracker(() => undefined),
  })

test('an import that no longer exists is sent again, and the results are from the new one', async () => {
  keepRun({ ...beginRun(orderContent(sentOrder)), importId: 'gone' })
  const calls = serverWithout(() => reply(200, { ok: true, importId: 'new' }))
  expect(await run()).toMatchObject({ step: 'sent', importId: 'new' })
  expect(calls.filter((address) => address.includes('gone'))).toHaveLength(1)
  expect(calls).toHaveLength(3)
  expect(findRun(orderContent(sentOrder))).toBeUndefined()
})

test('after another failure, the run continues with the new import', async () => {
  const { key } = beginRun(orderContent(sentOrder))
  keepRun({ content: orderContent(sentOrder), key, importId: 'gone' })
  serverWithout((index) =>
    index === 0
      ? reply(200, { ok: true, importId: 'new' })
      : reply(422, { ok: false, error: 'No.', code: 'VALIDATION_FAILED' }),
  )
  await expect(run()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(findRun(orderContent(sentOrder))).toMatchObject({ key, importId: 'new' })
})
