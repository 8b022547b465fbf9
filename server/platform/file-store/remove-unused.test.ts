import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openFileStore } from './open-file-store.ts'
import { removeUnused, type UnusedFiles } from './remove-unused.ts'

const DAY = 86_400_000
const dir = await mkdtemp(join(tmpdir(), 'remove-unused-'))
afterAll(() => rm(dir, { recursive: true }))
const files = await openFileStore({ kind: 'fs', dir })

// Two files of one picture, another one, one that somebody laid there; all but one are two days old.
const KEYS = ['images/a.webp', 'images/a-small.webp', 'images/b.webp', 'images/note.txt', 'images/young.webp']
beforeEach(async () => {
  const then = new Date(Date.now() - 2 * DAY)
  for (const key of KEYS) {
    await files.put(key, Buffer.from('12345'))
    if (key !== 'images/young.webp') await utimes(join(dir, key), then, then)
  }
})

const remove = (listUsed: UnusedFiles['listUsed'], { signal } = new AbortController()) =>
  removeUnused(files, {
    folder: 'images',
    before: new Date(Date.now() - DAY),
    nameIn: (key) => /^images\/([a-z]+)(?:-small)?\.webp$/.exec(key)?.[1],
    listUsed,
    signal,
  })

async function leftKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files.list('images')) keys.push(key)
  return keys.sort()
}

test('removes what is old and not used; each name is asked for once', async () => {
  const listUsed = vi.fn(async () => new Set(['b']))
  expect(await remove(listUsed)).toEqual({ files: 2, bytes: 10 })
  expect(await leftKeys()).toEqual(['images/b.webp', 'images/note.txt', 'images/young.webp'])
  const asked = listUsed.mock.calls.flat(2)
  expect(asked.sort()).toEqual(['a', 'b'])
})

test('B11 a file that is stored anew after it was asked for stays', async () => {
  const listUsed = async () => {
    await files.put('images/a.webp', Buffer.from('12345'))
    return new Set<string>()
  }
  expect(await remove(listUsed)).toEqual({ files: 2, bytes: 10 })
  expect(await leftKeys()).toEqual(['images/a.webp', 'images/note.txt', 'images/young.webp'])
})

test('ends where it is asked to, before anything is removed', async () => {
  const ending = new AbortController()
  ending.abort()
  await expect(remove(async () => new Set(), ending)).rejects.toThrow(/abort/i)
  expect(await leftKeys()).toEqual([...KEYS].sort())
})
