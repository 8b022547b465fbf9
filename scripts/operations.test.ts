import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { errorTable } from '#contract/error-codes.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const runbook = read('docs/runbook.md')

type Alert = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }
const { groups }: { groups: { rules: Alert[] }[] } = parse(read('ops/prometheus/alerts.yml'))

test('every alert has a section of the runbook with cause and action, and no section is left over', () => {
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  const sections = [...runbook.matchAll(/^### (\w+)\n\n\*\*Cause:\*\*[^#]*\*\*Do:\*\*/gm)].map(
    ([, name]) => name,
  )
  expect(sections).toEqual(alerts)
})

test('every error code has its row in the runbook', () => {
  const rows = [...runbook.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, code]) => code)
  expect(rows.toSorted(), 'docs/runbook.md needs a row: code, usual cause, what an operator does').toEqual(
    Object.keys(errorTable).toSorted(),
  )
})

test('a row that points to an alert names one', () => {
  const alerts = new Set(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)))
  const named = [...runbook.matchAll(/[Ss]ee (?=[A-Z])(\w+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !alerts.has(name))).toEqual([])
})
