import { readFile } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { replaceRecalls } from '#server/features/listings/restricted.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'

const USAGE = `Usage:
  recalls load <file>   a line each: the part number, and after a comma why; replaces the list`

/** Loads recalled part numbers. From then on, listings with them are rejected. */
export async function recallsLoad(config: Config, log: Log, [path]: readonly string[]): Promise<void> {
  if (path === undefined) throw new Refusal(`The file is missing.\n\n${USAGE}`)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Refusal(`${path} cannot be read.\n\n${USAGE}`)
  })
  const recalls = readRecalls(text)
  if (recalls.length === 0) throw new Refusal(`${path} has no part numbers.\n\n${USAGE}`)
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
