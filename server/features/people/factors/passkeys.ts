import { isIP } from 'node:net'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { NewPasskey, PasskeyAssertion } from '#contract/account/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The website that passkeys belong to. Browsers offer them under its name only. */
export type PasskeySite = { id: string; origin: string; name: string }

/** Undefined if the server's host is an IP address: browsers create passkeys for host names only. */
export function passkeySite(config: { publicUrl: string; productName: string }): PasskeySite | undefined {
  const { hostname, origin } = new URL(config.publicUrl)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined
  return { id: hostname, origin, name: config.productName }
}

/** Loaded when the first passkey is used: with what it needs to read certificates, it has 300 files. */
const webAuthn = () => import('@simplewebauthn/server')

/**
 * Ed25519, P-256 and RSA, which devices support. The library's default list includes algorithms that Node calls
 * experimental.
 */
const ALGORITHMS = [-8, -7, -257]

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>
type StoredPasskey = {
  id: string
  credentialId: string
  publicKey: Buffer
  signCount: number
  transports: Transports
}

export async function listPasskeys(db: Db, userId: string): Promise<StoredPasskey[]> {
  const { rows } = await sql<StoredPasskey>`
    select id, credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount", transports
    from factor where user_id = ${userId} and kind = 'passkey' order by id
  `.execute(db)
  return rows
}

const known = (passkeys: readonly StoredPasskey[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }))

/** What the browser needs to create a passkey that this person does not have yet. */
export async function newPasskeyOptions(
  db: Db,
  site: PasskeySite,
  person: { userId: string; email: string; name: string },
) {
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpID: site.id,
    rpName: site.name,
    // The id, not the email: the passkey stores it, and emails change.
    userID: new TextEncoder().encode(person.userId),
    userName: person.email,
    userDisplayName: person.name,
    // We do not need the device's make, and asking for it shows a privacy warning.
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known(await listPasskeys(db, person.userId)),
    // The device must ask for a fingerprint, face or PIN, so that a phone left on the counter is not enough.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
}

export type CheckedPasskey = {
  credentialId: string
  publicKey: Buffer
  signCount: number
  transports: readonly string[]
}

/** Returns the passkey that the browser created, or undefined if it does not match this challenge and website. */
export async function checkNewPasskey(
  site: PasskeySite,
  credential: NewPasskey,
  challenge: string,
): Promise<CheckedPasskey | undefined> {
  const { verifyRegistrationResponse } = await webAuthn()
  const checked = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
    // Thrown for a malformed or foreign credential, which is the caller's error.
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, transports }
}

/** What the browser needs to sign with one of these passkeys; without any, with one that it has for this site. */
export async function assertionOptions(site: PasskeySite, passkeys: readonly StoredPasskey[] = []) {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: site.id,
    ...(passkeys.length > 0 && { allowCredentials: known(passkeys) }),
    userVerification: 'required',
  })
}

type Used = { userId: string; assertion: PasskeyAssertion; challenge: string }

/**
 * The person's passkey that signed this challenge, and its counter, which must increase: otherwise it is a copy. (Passkeys that
 * sync between devices have no counter and stay at 0.)
 */
export async function checkAssertion(db: Db, site: PasskeySite, { userId, assertion, challenge }: Used) {
  const stored = (await listPasskeys(db, userId)).find(({ credentialId }) => credentialId === assertion.id)
  if (!stored) return undefined
  const { id, credentialId, publicKey, signCount, transports } = stored
  const { verifyAuthenticationResponse } = await webAuthn()
  const checked = await verifyAuthenticationResponse({
    response: assertion as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: signCount, transports },
    requireUserVerification: true,
    // Thrown for a wrong challenge, a foreign origin, a missing fingerprint or a counter that did not grow.
  }).catch(() => undefined)
  return checked?.verified ? { id, signCount, newCount: checked.authenticationInfo.newCounter } : undefined
}

/** Whether one of the person's passkeys signed this challenge; notes its use. */
export async function takeAssertion(
  trx: Db,
  site: PasskeySite,
  { now, ...used }: Used & { now: Date },
): Promise<boolean> {
  const passkey = await checkAssertion(trx, site, used)
  if (!passkey) return false
  const { numAffectedRows } = await sql`
    update factor set sign_count = ${passkey.newCount}, last_used_at = ${now}
    where id = ${passkey.id} and sign_count = ${passkey.signCount}
  `.execute(trx)
  return numAffectedRows === 1n
}
