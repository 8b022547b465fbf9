import type { Config } from '#server/config.ts'
import { resetFactors } from '#server/features/people/factors/factors.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { misuse, readArguments } from './usage.ts'

/**
 * Turns off two-step sign-in for a person who lost all second steps. Access to the machine's terminal is the
 * authorization; verify that the request comes from the account's owner. Administrators must set up a new second step
 * at the next sign-in.
 */
export async function adminResetFactors(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const email = readArguments('admin reset-factors', args).email?.trim()
  if (!email) throw misuse('admin reset-factors', '--email is missing.')
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
        ? `Two-step sign-in was already off for ${email}. All devices are signed out, and all API tokens ended.`
        : `Two-step sign-in of ${email} is off (${removed} removed), all devices were signed out, and all API tokens ended.`,
    )
  })
}
