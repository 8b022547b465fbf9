import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameSlug } from '#contract/pages/name-slugs.ts'
import { slugOf } from './addresses.ts'

const slug = (name: string) => slugOf({ kind: 'model', id: '', name, makeSlug: null })

test.each([
  'F-150',
  'A/C Compressor',
  'Town & Country',
  "Driver's Seat",
  'Citroën',
  'CR-V',
  '3 Series',
  'Mazda3 (BK)',
])('the browser writes the slug of %s as the server does', (name) => expect(nameSlug(name)).toBe(slug(name)))

test('and those of all models that we know from the start', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../db/data/model-names.csv'), 'utf8')
  const names = [...new Set(text.split(/[\n,]/).map((cell) => cell.replaceAll('"', '').trim()))].filter(
    Boolean,
  )
  expect(names.length).toBeGreaterThan(500)
  expect(names.filter((name) => nameSlug(name) !== slug(name))).toEqual([])
})
