import { expect, test, vi } from 'vitest'
import { openKeptReplies, type PackedReply, packReply, unpackReply } from './kept-documents.ts'

const replyOf = (bytes: number, status = 200): PackedReply => ({ status, packed: Buffer.alloc(bytes) })

/** Kept replies, and which addresses were made so far. */
function openCounted(limits = { most: 1_000, mostBytes: 1_000_000 }) {
  const replies = openKeptReplies(limits)
  const made: string[] = []
  const get = (address: string, reply = replyOf(10), version = '1') =>
    replies.get(address, version, async () => {
      made.push(address)
      return reply
    })
  return { get, made, size: replies.size }
}

test('a kept reply has memory of its own, also once it is packed well', async () => {
  const replies = openKeptReplies({ most: 10, mostBytes: 1_000 })
  const first = await replies.get('a', '1', () => packReply('alternator '.repeat(1_000)))
  expect(first.packed.buffer.byteLength).toBe(first.packed.byteLength)
  expect(replies.find('a', '1')).toBe(first)
  await vi.waitFor(() => expect(replies.find('a', '1')?.packed).not.toBe(first.packed))
  const well = replies.find('a', '1')?.packed
  expect(well?.buffer.byteLength).toBe(well?.byteLength)
})

test('the replies that were asked for last stay', async () => {
  const { get, made, size } = openCounted({ most: 3, mostBytes: 1_000 })
  for (const address of ['a', 'b', 'c', 'a', 'd', 'a']) await get(address)
  expect([made, size().replies]).toEqual([['a', 'b', 'c', 'd'], 3])
  await get('b')
  expect(made.at(-1)).toBe('b')
})

test('all together have a limit of bytes', async () => {
  const { get, size } = openCounted({ most: 100, mostBytes: 1_000 })
  for (let n = 0; n < 50; n++) await get(`page ${n}`, replyOf(90))
  expect(size().bytes).toBeLessThanOrEqual(1_000)
  expect(size().replies).toBe(9)
  await get('larger than all', replyOf(2_000))
  expect(size()).toEqual({ replies: 0, bytes: 0 })
})

test('readers at the same time share one, and only a reply that is there is kept', async () => {
  const { get, made } = openCounted()
  await Promise.all([get('a', replyOf(10, 404)), get('a'), get('a')])
  await get('a')
  await get('a')
  expect(made).toEqual(['a', 'a'])
})

test('a reply that could not be made is tried again', async () => {
  const replies = openKeptReplies({ most: 10, mostBytes: 1_000 })
  await expect(replies.get('a', '1', () => Promise.reject(new Error('no database')))).rejects.toThrow(
    'no database',
  )
  expect((await replies.get('a', '1', async () => replyOf(10))).status).toBe(200)
})

test('at another version it is made again, or kept by who sees that it still holds', async () => {
  const replies = openKeptReplies({ most: 10, mostBytes: 1_000 })
  const [first, second] = [replyOf(10), replyOf(20)]
  await replies.get('a', '1', async () => first)
  expect(await replies.get('a', '2', async (before) => before ?? second)).toBe(first)
  expect(replies.find('a', '2')).toBe(first)
  expect(await replies.get('a', '3', async () => second)).toBe(second)
  expect([replies.find('a', '2'), replies.size()]).toEqual([undefined, { replies: 1, bytes: 22 }])
  await replies.get('a', '4', async () => replyOf(10, 404))
  expect(replies.size()).toEqual({ replies: 0, bytes: 0 })
})

test('one that is asked for again is packed better, with the same content', async () => {
  const replies = openKeptReplies({ most: 10, mostBytes: 1_000_000 })
  const text = Array.from({ length: 2_000 }, (_, at) => `<p>Ä ${at % 37} alternator ${at % 11}</p>`).join('')
  const first = await replies.get('a', '1', () => packReply(text))
  expect(unpackReply(first).toString()).toBe(text)
  const again = () => replies.find('a', '1') ?? first
  await vi.waitUntil(() => again().packed.byteLength < first.packed.byteLength)
  expect(unpackReply(again()).toString()).toBe(text)
})
