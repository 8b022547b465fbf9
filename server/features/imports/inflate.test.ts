import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inPieces, LARGE_MS, MB, readText, refusal, tableOf } from '#tests/support/read-csv.ts'
import { openTable } from './open-table.ts'

describe('A22, 26 gzip', { timeout: LARGE_MS }, () => {
  const csv = `a,b\n${'1,2\n'.repeat(5_000)}`
  test('is known by its content, several members are one text', async () => {
    const { rows } = await readText(Buffer.concat([gzipSync(csv), gzipSync('3,4\n'), gzipSync('')]))
    expect(rows).toHaveLength(5_001)
    expect(rows.at(-1)).toEqual({ row: 5_002, cells: ['3', '4'] })
  })

  test('a CSV that is only named .gz is a CSV', async () => {
    expect((await readText(csv)).rows).toHaveLength(5_000)
  })

  // Random digits, so that there is something to cut.
  const digits = Array.from({ length: 20_000 }, (_, at) => `${(at * 2_654_435_761) % 999_983},2\n`).join('')
  const packed = gzipSync(`a,b\n${digits}`)
  test.each([
    ['cut off', packed.subarray(0, -9), 'damaged or was cut off'],
    ['cut off early', packed.subarray(0, 12), 'damaged or was cut off'],
    ['a header alone', packed.subarray(0, 2), 'damaged or was cut off'],
    ['damaged', Buffer.from(packed).fill(7, 30_000, 30_100), 'damaged or was cut off'],
    ['with text behind it', Buffer.concat([packed, Buffer.from('more')]), 'damaged or was cut off'],
    ['with zeros behind it', Buffer.concat([packed, Buffer.alloc(700)]), 'goes on with something else'],
    [
      'with zeros and a member behind it',
      Buffer.concat([packed, Buffer.alloc(9), packed]),
      'goes on with something else',
    ],
  ])('%s is refused', async (_, content, words) => {
    for (const size of [64 * 1024, 100]) {
      const { code, message } = await refusal(content, size)
      expect(code).toBe('VALIDATION_FAILED')
      expect(message).toContain(words)
    }
  })

  const member = gzipSync(Buffer.alloc(MB, '1,2\n'))
  test.each([
    ['one member', gzipSync(Buffer.alloc(32 * MB, '1,2\n'))],
    ['many members', Buffer.concat(Array.from({ length: 32 }, () => member))],
  ])('a bomb of %s is stopped soon after 10 MB', async (_, content) => {
    let bytes = 0
    const { batches } = await openTable(
      tableOf(() => Readable.from(inPieces(content))),
      {
        said: { encoding: 'utf-8' },
      },
    )
    const reading = async () => {
      for await (const batch of batches) bytes += batch.length * 4
    }
    await expect(reading()).rejects.toMatchObject({ code: 'TOO_LARGE', status: 413 })
    expect(bytes).toBeGreaterThan(9 * MB)
    expect(bytes).toBeLessThan(11 * MB)
  })
})
