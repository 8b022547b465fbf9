import { readFile } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { recallKey, replaceRecalls } from '#server/features/market/listings/restricted.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { misuse, readArguments } from './usage.ts'

/**
 * Loads recalled part numbers. From then on, listings with them are rejected. A file with a line that is not a part
 * number is only loaded with the option for it: parts whose number is missing from the list would still be sold.
 */
export async function recallsLoad(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const { operand: path = '', 'skip-bad-lines': skips } = readArguments('recalls load', args)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Refusal(`${path} cannot be read.`)
  })
  const { recalls, bad } = readRecalls(text)
  if (bad.length > 0 && !skips) {
    const lines = bad.map((line) => `  ${line}`).join('\n')
    const fix = 'Fix them, or add --skip-bad-lines to load the others.'
    throw new Refusal(`Nothing was loaded. ${path} has ${counted(bad.length, 'bad line')}:\n${lines}\n${fix}`)
  }
  if (recalls.length === 0) throw misuse('recalls load', `${path} has no part numbers.`)
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const url = requireDatabaseUrl(served)
    const database = openDatabase(url, { max: 1, applicationName: 'recalls-load', log })
    const count = await replaceRecalls(database.db, recalls).finally(database.close)
    const skipped = bad.length > 0 ? `; skipped ${counted(bad.length, 'line')} (${bad.join('; ')})` : ''
    console.log(`Loaded ${counted(count, 'recalled part number')}${skipped}.`)
  })
}

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

type Recall = { number: string; reason: string }

/** Reads a part number and its reason from each line; `bad` names the lines that have none. Skips blank lines and a header. */
export function readRecalls(text: string): { recalls: Recall[]; bad: string[] } {
  const recalls = new Map<string, Recall & { line: number }>()
  const bad: string[] = []
  let isFirst = true
  for (const [index, whole] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (whole.trim() === '') continue
    const isHeader = isFirst && !/\d/.test(whole)
    isFirst = false
    if (isHeader) continue
    const line = index + 1
    const recall = readRecall(whole)
    const earlier = recalls.get(recallKey(recall.number))
    const problem = problemOf(recall, earlier)
    if (problem !== undefined) bad.push(`line ${line}: ${problem}`)
    else if (!earlier) recalls.set(recallKey(recall.number), { ...recall, line })
  }
  return { recalls: [...recalls.values()].map(({ number, reason }) => ({ number, reason })), bad }
}

function readRecall(line: string): Recall {
  const [, number = '', reason = ''] = /^\s*("[^"]*"|[^,;\t]*)(?:[,;\t](.*))?$/.exec(line) ?? []
  const plain = (cell: string) => cell.trim().replaceAll(/^"|"$/g, '').trim()
  return { number: plain(number), reason: plain(reason) }
}

function problemOf({ number, reason }: Recall, earlier: (Recall & { line: number }) | undefined) {
  if (!/\d/.test(number)) return 'no digits'
  if (earlier && earlier.reason !== reason) return `line ${earlier.line} has another reason for ${number}`
  return undefined
}
