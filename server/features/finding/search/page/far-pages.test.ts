import { expect, test } from 'vitest'
import { openFarPages } from './far-pages.ts'

const BUSY = expect.objectContaining({ code: 'BUSY', retryAfterSeconds: expect.any(Number) })
const near = { offset: 9_988, limit: 12 }
const far = { offset: 9_989, limit: 12 }

test('two far pages are read at once, and near ones at any time', async () => {
  const farPages = openFarPages()
  const ends: (() => void)[] = []
  const untilEnded = () => new Promise<string>((resolve) => ends.push(() => resolve('read')))
  const first = farPages(far, untilEnded)
  const second = farPages(far, untilEnded)
  await expect(farPages(far, untilEnded)).rejects.toEqual(BUSY)
  expect(await farPages(near, async () => 'near')).toBe('near')
  ends[0]?.()
  expect(await first).toBe('read')
  const third = farPages(far, untilEnded)
  await expect(farPages(far, untilEnded)).rejects.toEqual(BUSY)
  for (const end of ends) end()
  expect(await Promise.all([second, third])).toEqual(['read', 'read'])
})

test('a page that could not be read frees its place', async () => {
  const farPages = openFarPages()
  const fail = () => farPages(far, () => Promise.reject(new Error('no connection')))
  for (const _ of [1, 2, 3]) await expect(fail()).rejects.toThrow('no connection')
})
