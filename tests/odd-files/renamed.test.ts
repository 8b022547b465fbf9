import { describe, expect, test } from 'vitest'
import { dialectLine, RecordReader } from '#contract/yard-file/records.ts'
import { keptFiles, type OddFile, readOnServer, titleOf } from './odd-file.ts'

/* Every odd file without its column names is still read with the replacement row as its header. */

/** The file's text with its header record replaced by Column1, Column2, and so on. */
async function withoutNames({ content, expected }: OddFile): Promise<Uint8Array> {
  const { encoding, headerRow, ...dialect } = expected.reading
  const text = new TextDecoder(encoding).decode(await content())
  const reader = new RecordReader(dialect)
  const named = [...reader.feed(text).take(), ...reader.end().take()][headerRow - 1]
  if (!named) throw new Error('the file has no header')
  const names = named.cells.map((_, at) => `Column${at + 1}`)
  return Buffer.from(text.replaceAll(named.text, dialectLine(names, dialect)))
}

const files = keptFiles().filter(
  ({ expected: { reading } }) => reading.headerRow > 0 && reading.layout === 'plain',
)

describe.each(files.map((file): [string, OddFile] => [titleOf(file), file]))('%s', (_, file) => {
  test('with columns called Column1 and so on', async () => {
    const own = await readOnServer(await file.content())
    const renamed = await readOnServer(await withoutNames(file))
    expect(renamed.reading).toEqual({ ...own.reading, encoding: 'utf-8' })
    expect(renamed.header).toEqual(own.header.map((_, at) => `Column${at + 1}`))
    expect(renamed.rows).toEqual(own.rows)
  })
})
