import { describe, expect, test } from 'vitest'
import type { Chunk } from './file-chunks.ts'
import { uploadChunks } from './upload-chunks.ts'

const signal = new AbortController().signal
const goOn = () => Promise.resolve()

async function* chunks(count: number): AsyncGenerator<Chunk, undefined> {
  for (let index = 0; index < count; index++) {
    yield { index, records: 1, firstRow: index + 2, characters: 1, content: async () => new Blob() }
  }
}

test.each([1, 2, 5])('%i are on their way at most', async (concurrency) => {
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
  test('with the first failure, which aborts what is on its way', async () => {
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

  test('when it is cancelled in a pause', async () => {
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
