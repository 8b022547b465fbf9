import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withInstallation } from '#bench/programs.ts'
import { markdownTable } from '#bench/report.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import { type Compared, compareWithTruth, type TrueRow } from './truth.ts'
import { YardClient } from './yard-client.ts'
import { type Day, importDay } from './yard-day.ts'

/* Stocks as yards keep them go through a running installation as a new yard would send them; every live row is compared with its truth. */

type Truth = Record<string, { rows: TrueRow[]; rates?: Record<string, number> }>
type DayOfStock = { name: string; day: number; took: Day; compared: Compared; kept: number }

const LIVE_SHARE = 0.98
const MOST_ASKED = 4
const MOST_SHOWN = 60
const defaults = {
  partcity: 'Tulsa',
  partstate: 'OK',
  dealerphone: '918-555-0142',
  dealername: 'Bluff City Auto',
}

/** Prints a line for every day of every stock, and what was wrong; returns whether nothing was. */
async function runStocks(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: '.' },
      only: { type: 'string', default: '' },
      rate: { type: 'string', default: 'MXN=0.05,CAD=0.72,GBP=1.25,EUR=1.1' },
      days: { type: 'string', default: '3' },
    },
  })
  const { folder } = values
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Truth
  const rates = Object.fromEntries(
    values.rate.split(',').map((one) => {
      const [currency = '', rate = ''] = one.split('=')
      return [currency, Number(rate)]
    }),
  )
  const names = readdirSync(folder).filter(
    (name) => name in truth && !/\.day2\./.test(name) && name.includes(values.only),
  )
  const days: DayOfStock[] = []
  await withInstallation(async ({ address, database }) => {
    for (const name of names) {
      const seller = await openProSeller(address, database.db)
      const client = new YardClient(address, seller.token)
      const second = name.replace(/(\.\w+)$/, '.day2$1')
      let before = new Map<string, string>()
      for (let day = 1; day <= Number(values.days); day += 1) {
        const file = day === 1 || !(second in truth) ? name : second
        const rows = truth[file]?.rows ?? []
        const took = await importDay(
          client,
          {
            file: new File([new Uint8Array(readFileSync(join(folder, file)))], file.replace('.day2', '')),
            truth: rows,
            rates,
            mode: 'replace',
            defaults,
          },
          day,
        )
        const compared = compareWithTruth(rows, await client.listings(), rates)
        const kept = [...compared.ids].filter(([key, id]) => before.get(key) === id).length
        before = compared.ids
        days.push({ name: file, day, took, compared, kept })
        console.log(told({ name: file, day, took, compared, kept }))
      }
    }
  })
  console.log(
    markdownTable(
      [
        'stock',
        'day',
        'rows',
        'to be live',
        'right',
        'wrong',
        'left empty',
        'missing',
        'not for sale but live',
        'unknown',
        'asked',
        'same id',
        'state',
      ],
      days.map(({ name, day, took, compared, kept }) => [
        name,
        String(day),
        String(compared.rows),
        String(compared.expected),
        String(compared.right),
        String(compared.wrong.length),
        [...compared.blank].map(([field, count]) => `${field} ${count}`).join(', '),
        String(compared.missing.length),
        String(compared.unwanted.length),
        String(compared.unknown.length),
        String(took.asked.length),
        String(kept),
        took.deadEnd ? 'DEAD END' : (took.state ?? ''),
      ]),
    ),
  )
  return days.every(isRight)
}

function isRight({ day, took, compared }: DayOfStock): boolean {
  const { wrong, unwanted, unknown, missing, expected } = compared
  const mostAsked = [MOST_ASKED, 1][day - 1] ?? 0
  return (
    took.deadEnd === undefined &&
    wrong.length + unwanted.length + unknown.length === 0 &&
    missing.length <= (1 - LIVE_SHARE) * expected &&
    took.asked.length <= mostAsked
  )
}

function told({ name, day, took, compared }: DayOfStock): string {
  const some = <T>(list: readonly T[]) => list.slice(0, MOST_SHOWN)
  return [
    `\n== ${name}, day ${day}${took.deadEnd ? ` DEAD END: ${took.deadEnd}` : ''}`,
    `mapping ${JSON.stringify(took.mapping)}`,
    ...took.notes.map((note) => `note: ${note}`),
    ...took.asked.map((words) => `asked: ${words}`),
    ...took.confirmed.map((words) => `confirmed: ${words}`),
    `answers ${JSON.stringify(took.answers)} plan ${JSON.stringify(took.plan && { ...took.plan, newNames: took.plan.newNames.length })}`,
    ...(took.plan?.newNames ?? []).slice(0, MOST_SHOWN).map((one) => `new name: ${JSON.stringify(one)}`),
    ...some([...took.refused]).map(([words, count]) => `refused ${count}: ${words}`),
    ...some(compared.wrong).map(({ key, fields }) => `WRONG ${key}: ${fields.join('; ')}`),
    ...some(compared.missing).map((key) => `MISSING ${key}`),
    ...some(compared.unwanted).map((key) => `LIVE BUT NOT FOR SALE ${key}`),
    ...some(compared.unknown).map((key) => `UNKNOWN ${key}`),
  ].join('\n')
}

process.exit((await runStocks(process.argv.slice(2))) ? 0 : 1)
