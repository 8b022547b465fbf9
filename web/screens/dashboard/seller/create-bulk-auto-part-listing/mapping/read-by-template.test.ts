import { expect, test } from 'vitest'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import type { FileRead } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/use-import-file.ts'
import { readByTemplate } from './read-by-template.ts'

const reading = { headerRow: 2 }
const template = {
  id: '1',
  name: 'Ours',
  scope: 'USER' as const,
  description: '',
  mapping: { partname: 'Part', partprice: 'Cost' },
  reading,
  shipped: false,
}

/** Reads a text as the template’s files are; answers in which ways it was read, and how that ended. */
async function waysOf(text: string, last: typeof template | undefined) {
  const ways: SaidReading[] = []
  const found = await readByTemplate(last, async (said): Promise<FileRead> => {
    ways.push(said)
    return await readImportFile(new File([text], 'stock.csv'), { said }).catch(() => 'unreadable')
  })
  return { ways, headers: typeof found === 'string' ? found : found.headers }
}

test('a file of the last template’s kind is read as that one was', async () => {
  expect(await waysOf('Date,By\nPart,Cost\nDoor,10\n', template)).toEqual({
    ways: [reading],
    headers: ['Part', 'Cost'],
  })
})

test('one of another kind, or without such a template, is read as its own bytes tell', async () => {
  const other = 'Part name,Price\nDoor,10\nHood,20\n'
  const headers = ['Part name', 'Price']
  expect(await waysOf(other, template)).toEqual({ ways: [reading, {}], headers })
  expect(await waysOf(other, undefined)).toEqual({ ways: [{}], headers })
  expect(await waysOf('', template)).toEqual({ ways: [reading, {}], headers: 'unreadable' })
})

test('a file that was replaced by another one while it was read is not read in a second way', async () => {
  const ways: SaidReading[] = []
  const found = await readByTemplate(template, async (said) => {
    ways.push(said)
    return 'superseded'
  })
  expect([found, ways]).toEqual(['superseded', [reading]])
})
