/*
 * Sends one stock and its next days to an installation, as a yard would: `node stock-program.ts <options as JSON>`. Prints what was
 * asked and what is wrong on stderr, and a line of figures for each day on stdout.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Compared, compareWithTruth, type Rates, type TrueRow } from './truth.ts'
import { YardClient } from './yard-client.ts'
import { type Day, importDay } from './yard-day.ts'

type Options = {
  address: string
  token: string
  folder: string
  name: string
  days: number
  rates: Rates
}
type Truth = Record<string, { rows: TrueRow[] }>
type DayOfStock = { name: string; day: number; took: Day; compared: Compared; kept: number }

const LIVE_SHARE = 0.98
const MOST_ASKED = [4, 1, 0]
const MOST_SHOWN = 60
const defaults = {
  partcity: 'Tulsa',
  partstate: 'OK',
  dealerphone: '918-555-0142',
  dealername: 'Bluff City Auto',
}

async function runStock({ address, token, folder, name, days, rates }: Options): Promise<void> {
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Truth
  const client = new YardClient(address, token)
  const second = name.replace(/(\.\w+)$/, '.day2$1')
  let before = new Map<string, string>()
  for (let day = 1; day <= days; day += 1) {
    const own = day === 1 || !(second in truth) ? name : second
    const rows = truth[own]?.rows ?? []
    // A yard's file has the same name every day.
    const file = new File([new Uint8Array(readFileSync(join(folder, own)))], name)
    const took = await importDay(client, { file, truth: rows, rates, mode: 'replace', defaults }, day)
    const compared = compareWithTruth(rows, await client.listings(), rates)
    const kept = [...compared.ids].filter(([key, id]) => before.get(key) === id).length
    before = compared.ids
    const found = { name: own, day, took, compared, kept }
    console.error(told(found))
    console.log(JSON.stringify({ cells: cellsOf(found), isRight: isRight(found) }))
  }
}

function cellsOf({ name, day, took, compared, kept }: DayOfStock): string[] {
  const { rows, expected, right, wrong, blank, missing, unwanted, unknown } = compared
  const empty = [...blank].map(([field, count]) => `${field} ${count}`).join(', ')
  const counts = [day, rows, expected, right, wrong.length, missing.length, unwanted.length, unknown.length]
  const state = took.deadEnd === undefined ? (took.state ?? '') : 'DEAD END'
  return [name, ...counts.map(String), empty, String(took.asked.length), String(kept), state]
}

function isRight({ day, took, compared }: DayOfStock): boolean {
  const { wrong, unwanted, unknown, missing, expected } = compared
  return (
    took.deadEnd === undefined &&
    wrong.length + unwanted.length + unknown.length === 0 &&
    missing.length <= (1 - LIVE_SHARE) * expected &&
    took.asked.length <= (MOST_ASKED[day - 1] ?? 0)
  )
}

function told({ name, day, took, compared }: DayOfStock): string {
  const some = <T>(list: readonly T[]) => list.slice(0, MOST_SHOWN)
  const { newNames = [], ...plan } = took.plan ?? {}
  return [
    `\n== ${name}, day ${day}${took.deadEnd ? ` DEAD END: ${took.deadEnd}` : ''}`,
    `mapping ${JSON.stringify(took.mapping)}`,
    ...took.notes.map((note) => `note: ${note}`),
    ...took.asked.map((words) => `asked: ${words}`),
    ...took.confirmed.map((words) => `confirmed: ${words}`),
    `answers ${JSON.stringify(took.answers)} plan ${JSON.stringify(plan)}`,
    ...some(newNames).map(({ kind, name: made, rows }) => `new ${kind}: ${made} (${rows} rows)`),
    ...some([...took.refused]).map(([words, count]) => `refused ${count}: ${words}`),
    ...some(compared.wrong).map(({ key, fields }) => `WRONG ${key}: ${fields.join('; ')}`),
    ...some(compared.missing).map((key) => `MISSING ${key}`),
    ...some(compared.unwanted).map((key) => `LIVE BUT NOT FOR SALE ${key}`),
    ...some(compared.unknown).map((key) => `UNKNOWN ${key}`),
  ].join('\n')
}

await runStock(JSON.parse(process.argv[2] ?? '{}') as Options)
