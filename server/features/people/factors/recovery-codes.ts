import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Recovery codes for a lost phone: ten codes, each valid for one sign-in. With 120 random bits, a fast hash is enough:
 * unlike a password, a code cannot be guessed from its hash.
 */

const CODES = 10
/** No letter that looks like another character (I, L, O) and no U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 24
const GROUP = /.{6}(?=.)/g

function newCode(): string {
  const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replaceAll(GROUP, '$&-')
}

/** Ignores case and grouping, and accepts look-alike characters. */
function hashOf(typed: string): Buffer {
  const code = typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(code).digest()
}

/** Replaces a person's codes and returns the new ones, which cannot be read again. */
export async function replaceRecoveryCodes(trx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await deleteRecoveryCodes(trx, userId)
  await sql`
    insert into recovery_code (code_hash, user_id)
    select unnest(${codes.map(hashOf)}::bytea[]), ${userId}::uuid
  `.execute(trx)
  return codes
}

export async function deleteRecoveryCodes(trx: Db, userId: string): Promise<void> {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(trx)
}

/** The hash of one of the person's codes; undefined if it is not one. The same query runs for nobody. */
export async function findRecoveryCode(
  db: Db,
  { userId, code }: { userId: string | undefined; code: string },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ hash: Buffer }>`
    select code_hash as hash from recovery_code where code_hash = ${hashOf(code)} and user_id = ${userId ?? null}::uuid
  `.execute(db)
  return rows[0]?.hash
}

/** Uses up one of the person's codes; false if it is not one. */
export async function takeRecoveryCode(
  trx: Db,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from recovery_code where code_hash = ${hashOf(code)} and user_id = ${userId}
  `.execute(trx)
  return numAffectedRows === 1n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recovery_code where user_id = ${userId}
  `.execute(db)
  return rows[0]?.count ?? 0
}
