import { expect, test } from 'vitest'
import { openKeptPages, type PackedPage, packPage, unpackPage } from './kept-pages.ts'

const pageOf = (bytes: number, status = 200): PackedPage => ({ status, packed: Buffer.alloc(bytes) })

/** Kept pages, and which keys were made so far. */
function openCounted(limits?: { mostPages: number; mostBytes: number }) {
  const pages = openKeptPages(limits)
  const made: string[] = []
  const get = (key: string, page = pageOf(10)) =>
    pages.get(key, async () => {
      made.push(key)
      return page
    })
  return { get, made, size: pages.size }
}

test('the pages that were asked for last stay', async () => {
  const { get, made, size } = openCounted({ mostPages: 3, mostBytes: 1_000 })
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a']) await get(key)
  expect([made, size().pages]).toEqual([['a', 'b', 'c', 'd'], 3])
  await get('b')
  expect(made.at(-1)).toBe('b')
})

test('all pages together have a limit of bytes', async () => {
  const { get, size } = openCounted({ mostPages: 100, mostBytes: 1_000 })
  for (let n = 0; n < 50; n++) await get(`page ${n}`, pageOf(90))
  expect(size().bytes).toBeLessThanOrEqual(1_000)
  expect(size().pages).toBe(9)
  await get('larger than all', pageOf(2_000))
  expect(size()).toEqual({ pages: 0, bytes: 0 })
})

test('readers at the same time share one rendering, and only a page that is there is kept', async () => {
  const { get, made } = openCounted()
  await Promise.all([get('a', pageOf(10, 404)), get('a'), get('a')])
  await get('a')
  await get('a')
  expect(made).toEqual(['a', 'a'])
})

test('a failed rendering is tried again', async () => {
  const pages = openKeptPages()
  await expect(pages.get('a', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect((await pages.get('a', async () => pageOf(10))).status).toBe(200)
})

test('a packed page can be unpacked for who does not take brotli', async () => {
  expect(unpackPage(await packPage(200, '<p>Ä</p>')).toString()).toBe('<p>Ä</p>')
})
