import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const quoted = (cell: string) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name)

/** Each trigger's table, as the schema has it. */
const tables = new Map(
  Array.from(
    read('db/schema.sql').matchAll(/^CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*? ON (\w+) /gm),
    ([, name = '', table = '']) => [name, table],
  ),
)

const [, section = ''] = /^## What a change causes$(.*?)^## /ms.exec(read('docs/architecture.md')) ?? []
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('_'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('the table of what a change causes has every trigger, once', () => {
  expect(tables.size).toBeGreaterThan(40)
  expect(rows.flatMap(([, , , triggers = '']) => quoted(triggers)).sort()).toEqual([...tables.keys()].sort())
})

test('a row that names its tables has triggers of these and no others', () => {
  const named = rows.filter(([, of = '']) => quoted(of).length > 0)
  expect(named.length).toBeGreaterThan(10)
  for (const [, of = '', , triggers = ''] of named) {
    const its = new Set(quoted(triggers).map((trigger) => tables.get(trigger)))
    expect([...its].sort()).toEqual(quoted(of).sort())
  }
})
