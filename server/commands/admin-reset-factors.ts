import { parseArgs } from 'node:util'
import type { Config } from '#server/config.ts'
import { resetFactors } from '#server/features/factors/factors.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'

const USAGE = `Usage:
  admin reset-factors --email <email>   remove passkeys, authenticator apps and recovery codes, and sign out everywhere`

/**
 * Turns off two-step sign-in for a person who lost all second steps. Access to the machine's terminal is the
 * authorization; verify that the request comes from the account's owner. Administrators must set up a new second step
 * at the next sign-in.
 */
export async function adminResetFactors(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const email = emailIn(args)
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const database = openDatabase(requireDatabaseUrl(served), {
      max: 1,
      applicationName: 'admin-reset-factors',
      log,
    })
    const removed = await resetFactors({ db: database.db, letterhead: served }, email).finally(database.close)
    console.log(
      removed === 0
        ? `${email} had no second step. All devices of the account were signed out.`
        : `Two-step sign-in of ${email} is off (${removed} removed), and all devices were signed out.`,
    )
  })
}

function emailIn(args: readonly string[]): string {
  try {
    const { email } = parseArgs({ args: [...args], options: { email: { type: 'string' } } }).values
    if (email !== undefined) return email.trim()
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${USAGE}`, { cause: error })
  }
  throw new Refusal(`--email is missing.\n\n${USAGE}`)
}
