import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { NODE_FLAGS } from '#server/platform/processes/supervised-child.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import { withInstallation } from './programs.ts'
import { markdownTable } from './report.ts'

/*
 * Stocks as yards keep them go through an installation as a new yard would send them, with the wizard's own code; every live
 * listing is compared with its truth. The folder has `truth.json` and, for most files, the next day (`name.day2.csv`).
 */

const PROGRAM = join(import.meta.dirname, '../../tests/stocks/stock-program.ts')
const HEADS = [
  ...['stock', 'day', 'rows', 'to be live', 'right', 'wrong', 'missing', 'live but not for sale'],
  ...['of no row', 'left empty', 'asked', 'same id', 'state'],
]

/** Prints what was wrong, and a table; returns whether nothing was. */
export async function benchStocks(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: '.' },
      only: { type: 'string', default: '' },
      rates: { type: 'string', default: 'MXN=0.05,CAD=0.72,GBP=1.25,EUR=1.1' },
      days: { type: 'string', default: '3' },
    },
  })
  const { folder, only } = values
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as object
  const rates = Object.fromEntries(
    values.rates.split(',').map((one) => [one.split('=')[0] ?? '', Number(one.split('=')[1])]),
  )
  const names = readdirSync(folder).filter(
    (name) => name in truth && !/\.day2\./.test(name) && name.includes(only),
  )
  const days: { cells: string[]; isRight: boolean }[] = []
  await withInstallation(async ({ address, database }) => {
    for (const name of names) {
      const { token } = await openProSeller(address, database.db)
      const options = { address, token, folder, name, days: Number(values.days), rates }
      const child = spawn(process.execPath, [...NODE_FLAGS, PROGRAM, JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const lines = (await text(child.stdout)).trim().split('\n')
      days.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)))
    }
  })
  console.log(
    markdownTable(
      HEADS,
      days.map(({ cells }) => cells),
    ),
  )
  return days.length > 0 && days.every(({ isRight }) => isRight)
}
