import { readFile } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { replaceRecalls } from '#server/features/listings/restricted.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { misuse, readArguments } from './usage.ts'

/** Loads recalled part numbers. From then on, listings with them are rejected. */
export async function recallsLoad(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const { operand: path = '' } = readArguments('recalls load', args)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Refusal(`${path} cannot be read.`)
  })
  const recalls = readRecalls(text)
  if (recalls.length === 0) throw misuse('recalls load', `${path} has no part numbers.`)
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const url = requireDatabaseUrl(served)
    const database = openDatabase(url, { max: 1, applicationName: 'recalls-load', log })
    const count = await replaceRecalls(database.db, recalls).finally(database.close)
    console.log(`${count.toLocaleString('en-US')} recalled part numbers are loaded.`)
  })
}

function readRecalls(text: string): { number: string; reason: string }[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, number = '', reason = ''] = /^\s*([^,;\t]+)(?:[,;\t](.*))?$/.exec(line) ?? []
      // Skips the header, which has no digit.
      return /\d/.test(number)
        ? { number: number.trim(), reason: reason.trim().replaceAll(/^"|"$/g, '') }
        : []
    })
}
