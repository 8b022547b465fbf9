import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '#server/platform/database/database.ts'

// The parameters that every authenticator app supports (RFC 6238 defaults); apps ignore or reject others.
const DIGITS = 6
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Also accepts the previous and next code, because phone clocks are a few seconds off and people type slowly. */
const DRIFT_STEPS = 1

/** A new secret in base32, as people type it into an app that cannot scan. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The `otpauth://` address that an app scans as a QR code. */
export function totpAddress(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return totpOf(secret, { issuer, label: email }).toString()
}

/** Returns the 30-second step (counted from 1970) of a code, or undefined if it is wrong. */
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

/** Apps group digits with spaces and dashes. */
const asDigits = (typed: string) => typed.replaceAll(/[\s-]/g, '')

/**
 * Checks and uses up a code of one of the person's apps. The same statement uses up this code and earlier ones, so that
 * only one of two concurrent calls succeeds.
 */
export async function takeTotpCode(
  trx: Db,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  if (!isTotpCode(code)) return false
  const digits = asDigits(code)
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

/** Whether this has the form of an app's code; a recovery code is longer. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(asDigits(code))

/** The step of a new app's code, as typed with spaces and dashes. */
export const newTotpStep = (secret: string, code: string, now: Date): number | undefined =>
  totpStep(secret, asDigits(code), now)
