import { describe, expect, test } from 'vitest'
import { readImportFile } from './read-import-file.ts'
import { type Chunk, uploadChunks } from './upload-chunks.ts'

const signal = new AbortController().signal
const rows = Array.from({ length: 2_500 }, (_, row) => `"Door\n${row}",${row}\r\n`)
const csv = `Part,Price\r\n${rows.join('')}`
const file = await readImportFile(new File([csv], 'stock.csv'), () => undefined, signal)
const goOn = () => Promise.resolve()

async function textOf(chunk: Chunk): Promise<string> {
  const content = await chunk.content()
  const packed = content.stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(packed).text()
}

test('each chunk is a CSV with the header line; together they are the file', async () => {
  const sent: Chunk[] = []
  await uploadChunks({ file, signal, untilMayGoOn: goOn, send: async (chunk) => void sent.push(chunk) })
  const inOrder = sent.toSorted((one, other) => one.index - other.index)
  expect(inOrder.map(({ index, records, firstRow }) => [index, records, firstRow])).toEqual([
    [0, 1_000, 2],
    [1, 1_000, 1_002],
    [2, 500, 2_002],
  ])
  expect(sent).toHaveLength(file.chunkCount)
  const texts = await Promise.all(inOrder.map(textOf))
  expect(texts.every((text) => text.startsWith('Part,Price\r\n"Door'))).toBe(true)
  expect(texts.map((text) => text.slice('Part,Price\r\n'.length)).join('')).toBe(rows.join(''))
})

test('a short chunk is sent as it is, without the byte order mark', async () => {
  const short = await readImportFile(new File(['\ufeffPart,Price\nDoor,1'], 'a.csv'), () => undefined, signal)
  let text = ''
  const send = async (chunk: Chunk) => {
    text = await (await chunk.content()).text()
  }
  await uploadChunks({ file: short, signal, untilMayGoOn: goOn, send })
  expect(text).toBe('Part,Price\nDoor,1')
})

test('two are on their way at most', async () => {
  let now = 0
  let most = 0
  const send = async () => {
    most = Math.max(most, ++now)
    await new Promise((done) => setTimeout(done, 1))
    now--
  }
  await uploadChunks({ file, signal, untilMayGoOn: goOn, send })
  expect(most).toBe(2)
})

describe('ends', () => {
  test('with the first failure, which aborts what is on its way', async () => {
    const aborted: unknown[] = []
    const send = (chunk: Chunk, ended: AbortSignal) =>
      new Promise<void>((_, refuse) => {
        ended.addEventListener('abort', () => aborted.push(chunk.index))
        if (chunk.index === 1) refuse(new Error('refused'))
      })
    const held = new Promise<void>(() => undefined)
    await expect(
      uploadChunks({
        file,
        signal,
        untilMayGoOn: goOn,
        send: (chunk, ended) => Promise.race([held, send(chunk, ended)]),
      }),
    ).rejects.toThrow('refused')
    expect(aborted).toContain(0)
  })

  test('when it is cancelled in a pause', async () => {
    const cancel = new AbortController()
    let sent = 0
    const uploading = uploadChunks({
      file,
      signal: cancel.signal,
      untilMayGoOn: async () => (sent === 0 ? undefined : cancel.abort(new Error('cancelled'))),
      send: async () => void sent++,
    })
    await expect(uploading).rejects.toThrow('cancelled')
    expect(sent).toBeLessThanOrEqual(2)
  })
})
