import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { User } from '#contract/account/accounts.ts'
import type { ImportMode } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'
import { yardMapping } from './yard-file.ts'

/* A Pro seller's program that imports over HTTP, as the wizard does, from outside of the installation. */

export type ProSeller = { readonly token: string; readonly sellerId: string }

/** A new account that may bulk import, and whose imports go live without anybody's look. */
export async function openProSeller(address: string, db: Db): Promise<ProSeller> {
  const email = `yard-${randomBytes(6).toString('hex')}@parts.example`
  const password = `${randomBytes(6).toString('hex')}-Sable-quay`
  const account = { name: 'Green Country Salvage', email, password }
  await expectOk(await postJson(`${address}/api/register`, account))
  const signedIn = await expectOk(await postJson(`${address}/api/login`, { email, password }))
  const { token, user } = (await signedIn.json()) as { token: string; user: User }
  await db
    .updateTable('seller')
    .set({ tier: 'PAID', connect_status: 'VERIFIED', trusted: true })
    .where('id', '=', user.sellerId)
    .execute()
  return { token, sellerId: user.sellerId }
}

/** The token of a new administrator, signed in with a second step as production demands. */
export async function openAdmin(address: string, db: Db): Promise<string> {
  const { token, sellerId } = await openProSeller(address, db)
  await sql`
    with admin as (
      update app_user set role = 1
      where id in (select user_id from seller_member where seller_id = ${sellerId}) returning id
    )
    update session set second_factor = true where user_id in (select id from admin)`.execute(db)
  return token
}

function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return response
}

export type Sending = {
  readonly key: string
  readonly file: Blob
  readonly mode: ImportMode
  readonly chunk?: { readonly index: number; readonly count: number }
}

/** The multipart body of a file or of one of its chunks, with the mapping of our yard's headers. */
function importForm({ key, file, mode, chunk }: Sending): FormData {
  const form = new FormData()
  const fields = {
    mapping: JSON.stringify(yardMapping),
    staging: JSON.stringify({ datasetHint: 'stock' }),
    idempotencyKey: key,
    mode,
    ...(chunk && { chunkIndex: String(chunk.index), chunkCount: String(chunk.count) }),
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file, 'stock.csv')
  return form
}

/** Sends a file of any size once, streamed, however long the answer takes; throws with the words of any but 200. */
export async function sendImport<Reply>(
  address: string,
  { token }: ProSeller,
  sending: Sending,
): Promise<Reply> {
  const { headers, body } = new Response(importForm(sending))
  if (!body) throw new Error('a form without a body')
  // Not fetch: it gives up when the head of an answer takes five minutes.
  const outgoing = request(`${address}/api/pro/bulk/parts/csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': headers.get('content-type') ?? '' },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  const [[answer]] = await Promise.all([answered, pipeline(Readable.fromWeb(body), outgoing)])
  const reply = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`The import was answered ${answer.statusCode}: ${reply}`)
  return JSON.parse(reply) as Reply
}

// A chunk takes a second at most; whoever says nothing for this long is paused or gone.
const SILENCE_MS = 8_000
const LONGEST_PAUSE_MS = 2_000

/**
 * Sends a chunk until it is acknowledged: after a broken connection, after a silence, while the service is down or still
 * at it, at one address after the other. Any other answer is a failure of the import.
 */
export async function sendUntilAcknowledged(
  sending: Sending,
  { addresses, seller, signal }: { addresses: readonly string[]; seller: ProSeller; signal: AbortSignal },
): Promise<{ reply: string; attempts: number }> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    const address = addresses[attempt % addresses.length] ?? ''
    const answer = await attemptOnce(address, seller, sending)
    if (answer?.status === 200) return { reply: answer.text, attempts: attempt + 1 }
    if (answer && answer.status !== 503) {
      throw new Error(`chunk ${sending.chunk?.index} was answered ${answer.status}: ${answer.text}`)
    }
    await sleep(Math.min(LONGEST_PAUSE_MS, 100 * 2 ** attempt))
  }
}

async function attemptOnce(address: string, { token }: ProSeller, sending: Sending) {
  try {
    const response = await fetch(`${address}/api/pro/bulk/parts/csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: importForm(sending),
      signal: AbortSignal.timeout(SILENCE_MS),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    // Refused, broken in the middle, or silent: what became of it only the next answer tells.
    return undefined
  }
}

/** A call without a body by the seller; throws with the words of any answer but a good one. */
export async function postTo(url: string, { token }: ProSeller): Promise<void> {
  await expectOk(await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } }))
}
