import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '#server/platform/database/database.ts'

// What every authenticator app understands (RFC 6238 with its defaults); apps ignore or refuse anything else.
const DIGITS = 6
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Clocks of phones are a few seconds off, and people type slowly: the code before and the one after count, too. */
const DRIFT_STEPS = 1

/** A new secret in base32, as people type it into an app that cannot scan. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The `otpauth://` address that an app scans as a QR code. */
export function totpAddress(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return totpOf(secret, { issuer, label: email }).toString()
}

/** The 30 seconds (counted from 1970) whose code this is, or undefined for a wrong one. */
function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  })
}

/** Spaces and dashes are how apps group the digits. */
const asDigits = (typed: string) => typed.replaceAll(/[\s-]/g, '')

/**
 * Whether this is a code of one of the person's apps that was not used before. Codes up to this one are used up, in the
 * same statement, so that of two calls with one code only one succeeds.
 */
export async function takeTotpCode(
  trx: Db,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const digits = asDigits(code)
  if (!/^\d{6}$/.test(digits)) return false
  const { rows } = await sql<{ id: string; secret: string }>`
    select id, secret from factor where user_id = ${userId} and kind = 'totp'
  `.execute(trx)
  for (const { id, secret } of rows) {
    const step = totpStep(secret, digits, now)
    if (step === undefined) continue
    const { numAffectedRows } = await sql`
      update factor set last_step = ${step}, last_used_at = ${now} where id = ${id} and last_step < ${step}
    `.execute(trx)
    return numAffectedRows === 1n
  }
  return false
}

/** The step of the code that proves a new app, for spaces and dashes as typed. */
export const newTotpStep = (secret: string, code: string, now: Date): number | undefined =>
  totpStep(secret, asDigits(code), now)
