import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  type Freshness,
  openKeptReplies,
  type PackedReply,
  packReply,
  unpackReply,
} from './kept-documents.ts'

const replyOf = (bytes: number, status = 200): PackedReply => ({
  status,
  packed: Buffer.alloc(bytes),
  etag: `${bytes}`,
})
// What an entry counts beside its bytes.
const ENTRY = 800
const ROOMY = { most: 1_000, mostBytes: 1_000_000 }

/** Kept replies of data with a version, a clock that stands still, and the addresses and versions that were made. */
function openCounted(limits = ROOMY) {
  const data = { version: 1, sections: {} as Record<string, number>, own: 'a', at: 0 }
  const replies = openKeptReplies({ ...limits, now: () => data.at })
  const made: string[] = []
  type More = { freshness?: Freshness; reply?: PackedReply; own?: true; ms?: number; shows?: string[] }
  const get = (address: string, { freshness = 'recent', reply = replyOf(10), own, ms, shows }: More = {}) =>
    replies.get(address, {
      freshness,
      version: async () => ({
        of: (sections) =>
          sections ? `${[...sections].map((id) => data.sections[id])}` : String(data.version),
      }),
      ...(own && { own: async () => data.own }),
      async make(_before, scope) {
        if (shows) scope.add(shows)
        made.push(`${address}${data.version}`)
        if (ms !== undefined) await sleep(ms)
        return reply
      },
    })
  return { data, get, made, replies }
}

describe('a list', () => {
  test('of some part types is kept while only others change', async () => {
    const { data, get, made } = openCounted()
    data.sections = { doors: 1, hoods: 1 }
    const shows = ['doors']
    await get('a', { shows })
    data.version = 2
    data.sections = { doors: 1, hoods: 2 }
    data.at = 60_000
    await get('a', { shows, freshness: 'now' })
    expect(made).toEqual(['a1'])
    data.version = 3
    data.sections = { doors: 2, hoods: 2 }
    await get('a', { shows, freshness: 'now' })
    expect(made).toEqual(['a1', 'a3'])
  })

  test('is kept while the data is the same, and for two seconds while others write', async () => {
    const { data, get, made } = openCounted()
    await get('a')
    data.at = 60_000
    await get('a')
    expect(made).toEqual(['a1'])
    data.version = 2
    data.at += 1_400
    await get('a')
    expect(made).toEqual(['a1'])
    data.at += 601
    await get('a')
    expect(made).toEqual(['a1', 'a2'])
  })

  test('that is read all the time is made again before it is two seconds old, while it is still sent', async () => {
    const { data, get, made } = openCounted()
    const first = await get('a')
    data.version = 2
    data.at = 1_600
    const second = replyOf(20)
    const all = await Promise.all(Array.from({ length: 20 }, () => get('a', { reply: second, ms: 10 })))
    expect(all.every((reply) => reply === first)).toBe(true)
    await vi.waitUntil(async () => (await get('a')) === second)
    expect(made).toEqual(['a1', 'a2'])
  })

  test('is made once for all who wait for it', async () => {
    const { data, get, made } = openCounted()
    await get('a')
    data.version = 2
    data.at = 2_001
    await Promise.all(Array.from({ length: 20 }, () => get('a', { ms: 10 })))
    expect(made).toEqual(['a1', 'a2'])
  })

  test('is that of the moment for who just changed something, and then for all', async () => {
    const { data, get, made } = openCounted()
    await get('a')
    data.version = 2
    const second = replyOf(20)
    expect(await get('a', { freshness: 'now', reply: second })).toBe(second)
    expect(await get('a')).toBe(second)
    expect(made).toEqual(['a1', 'a2'])
  })

  test('being made from older data is not sent to who just changed something', async () => {
    const { data, get, made } = openCounted()
    const others = get('a', { ms: 20 })
    await vi.waitUntil(() => made.length === 1)
    data.version = 2
    const [mine, also] = await Promise.all([
      get('a', { freshness: 'now', reply: replyOf(20) }),
      get('a', { freshness: 'now', reply: replyOf(20) }),
      others,
    ])
    expect([mine.etag, also.etag, made]).toEqual(['20', '20', ['a1', 'a2']])
  })

  test('is not young again when the clock is set back', async () => {
    const { data, get, made } = openCounted()
    data.at = 10_000
    await get('a')
    data.version = 2
    data.at = 9_000
    await get('a')
    expect(made).toEqual(['a1', 'a2'])
  })
})

describe('a page with something of its own', () => {
  test('is never older than that, and otherwise kept for two seconds while others write', async () => {
    const { data, get, made } = openCounted()
    await get('a', { own: true })
    data.version = 2
    await get('a', { own: true })
    expect(made).toEqual(['a1'])
    data.own = 'b'
    // Read again only if anything was written since.
    data.version = 3
    await get('a', { own: true })
    expect(made).toEqual(['a1', 'a3'])
    data.version = 4
    data.at = 2_001
    await get('a', { own: true })
    expect(made).toEqual(['a1', 'a3', 'a4'])
  })
})

describe('a page made of parts that are read one by one', () => {
  /** Shows a strip of doors and a yard's card. */
  function openStrips() {
    const data = { version: 1, doors: 1, own: 'a', strip: 'two doors', yard: 'Green Country', at: 0 }
    const replies = openKeptReplies({ ...ROOMY, now: () => data.at })
    const made: string[] = []
    const read: string[] = []
    const get = () =>
      replies.get('a', {
        freshness: 'now',
        version: async () => ({ of: (sections) => String(sections ? data.doors : data.version) }),
        own: async () => data.own,
        async make(_before, scope) {
          const part = (name: 'strip' | 'yard', sections?: string[]) =>
            scope.see(async () => {
              read.push(name)
              return data[name]
            }, sections)
          made.push((await Promise.all([part('strip', ['doors']), part('yard')])).join(', '))
          return replyOf(10)
        },
      })
    return { data, get, made, read, replies }
  }

  test('is kept while they are the same, whatever else is written', async () => {
    const { data, get, made, read } = openStrips()
    await get()
    data.version = 2
    await get()
    expect(made).toEqual(['two doors, Green Country'])
    // The strip is of doors alone, and none of them was changed.
    expect(read).toEqual(['strip', 'yard', 'yard'])
    await get()
    expect(read).toHaveLength(3)
  })

  test('is made again when one of them is another, or its own subject', async () => {
    const { data, get, made } = openStrips()
    await get()
    Object.assign(data, { version: 2, doors: 2, strip: 'one door' })
    await get()
    Object.assign(data, { version: 3, yard: 'Gone' })
    await get()
    Object.assign(data, { version: 4, own: 'sold' })
    await get()
    expect(made).toEqual([
      'two doors, Green Country',
      'one door, Green Country',
      'one door, Gone',
      'one door, Gone',
    ])
  })

  test('reads each again after a minute with changes, whatever they are of', async () => {
    const { data, get, made } = openStrips()
    await get()
    Object.assign(data, { version: 2, strip: 'one door', at: 61_000 })
    await get()
    expect(made).toHaveLength(2)
  })

  test('is made again, and fails as it does, if one cannot be read', async () => {
    const { data, get } = openStrips()
    await get()
    Object.defineProperty(data, 'yard', {
      get() {
        throw new Error('no database')
      },
    })
    data.version = 2
    await expect(get()).rejects.toThrow('no database')
  })
})

test('the replies that were asked for last stay', async () => {
  const { get, made, replies } = openCounted({ ...ROOMY, most: 3 })
  for (const address of ['a', 'b', 'c', 'a', 'd', 'a']) await get(address)
  expect([made, replies.size().replies]).toEqual([['a1', 'b1', 'c1', 'd1'], 3])
  await get('b')
  expect(made.at(-1)).toBe('b1')
})

test('all together have a limit of bytes', async () => {
  const { get, replies } = openCounted({ most: 100, mostBytes: 10 * (ENTRY + 100) })
  for (let n = 0; n < 50; n++) await get(`page ${n}`, { reply: replyOf(90) })
  expect(replies.size().bytes).toBeLessThanOrEqual(10 * (ENTRY + 100))
  expect(replies.size().replies).toBe(9)
  await get('larger than all', { reply: replyOf(20_000) })
  expect(replies.size()).toEqual({ replies: 0, bytes: 0 })
})

test('what nobody asks for is given back', async () => {
  const { data, get, replies } = openCounted()
  await get('a')
  data.at = 4 * 60_000
  await get('b')
  data.at = 6 * 60_000
  replies.sweep()
  expect(replies.size().replies).toBe(1)
})

test('readers at the same time share one, and only a reply that is there is kept', async () => {
  const { get, made } = openCounted()
  await Promise.all([get('a', { reply: replyOf(10, 404), ms: 5 }), get('a'), get('a')])
  await get('a')
  await get('a')
  expect(made).toEqual(['a1', 'a1'])
})

test('a reply that could not be made is tried again', async () => {
  const replies = openKeptReplies({ ...ROOMY, now: Date.now })
  const wanted = { freshness: 'recent', version: async () => ({ of: () => '1' }) } as const
  const failing = { ...wanted, make: () => Promise.reject(new Error('no database')) }
  await expect(replies.get('a', failing)).rejects.toThrow('no database')
  expect((await replies.get('a', { ...wanted, make: async () => replyOf(10) })).status).toBe(200)
})

test('a reply that shows the same is kept as it is; one that is not found any more is dropped', async () => {
  const { data, get, replies } = openCounted()
  const first = await get('a')
  data.version = 2
  const same = await replies.get('a', {
    freshness: 'now',
    version: async () => ({ of: () => '2' }),
    make: async (before) => before ?? replyOf(20),
  })
  expect([same === first, replies.size()]).toEqual([true, { replies: 1, bytes: ENTRY + 12 }])
  data.version = 3
  await get('a', { freshness: 'now', reply: replyOf(10, 404) })
  expect(replies.size()).toEqual({ replies: 0, bytes: 0 })
})

test('one that stays is packed better, with the same content and memory of its own', async () => {
  let at = 0
  const replies = openKeptReplies({ ...ROOMY, now: () => at })
  const text = Array.from({ length: 2_000 }, (_, n) => `<p>Ä ${n % 37} alternator ${n % 11}</p>`).join('')
  const get = () =>
    replies.get('a', {
      freshness: 'recent',
      version: async () => ({ of: () => '1' }),
      make: () => packReply(text),
    })
  const first = await get()
  expect(unpackReply(first).toString()).toBe(text)
  expect(first.packed.buffer.byteLength).toBe(first.packed.byteLength)
  at = 2_001
  await vi.waitUntil(async () => (await get()).packed.byteLength < first.packed.byteLength)
  const { packed, ...rest } = await get()
  expect([unpackReply({ packed, ...rest }).toString() === text, packed.buffer.byteLength]).toEqual([
    true,
    packed.byteLength,
  ])
})
