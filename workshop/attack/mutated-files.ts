import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DamagedKind, damagedFile, damagedKinds, damagedMapping } from '#tests/support/mutated-file.ts'
import type { Attack, Target } from './attack.ts'

/*
 * A thousand damaged files of each kind, as a Pro seller's dry runs: each must get an answer. A file that never does keeps
 * its seller's places, and soon everybody's.
 */

const OF_EACH = 1_000
// A seller may have six uploads at once.
const AT_ONCE = 5
/** A good file of this size takes a twentieth of a second. */
const LONGEST_MS = 20_000
const NAMES: Record<DamagedKind, string> = {
  csv: 'parts.csv',
  gz: 'parts.csv.gz',
  zip: 'parts.zip',
  xlsx: 'parts.xlsx',
}

type Sent = { kind: DamagedKind; seed: number }
type Outcome = Sent & { status: number; ms: number }

const PRO = { email: 'pro@partharbor.example', password: 'harbor-demo-1' }

async function signIn({ url }: Target): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(PRO),
  })
  if (!answer.ok) throw new Error(`The demo seller could not sign in: ${answer.status}`)
  return ((await answer.json()) as { token: string }).token
}

/** Status 0 stands for no answer in time. */
async function send(url: string, token: string, { kind, seed }: Sent): Promise<Outcome> {
  const form = new FormData()
  form.append('mapping', JSON.stringify(damagedMapping))
  form.append('idempotencyKey', randomUUID())
  form.append('file', new Blob([await damagedFile(kind, seed)]), NAMES[kind])
  const began = performance.now()
  const outcome = (status: number) => ({ kind, seed, status, ms: performance.now() - began })
  try {
    const answer = await fetch(`${url}/api/pro/bulk/parts/csv?dryRun=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
      signal: AbortSignal.timeout(LONGEST_MS),
    })
    await answer.arrayBuffer()
    return outcome(answer.status)
  } catch {
    return outcome(0)
  }
}

/** Sent again while the service asks for patience; a damaged file is no reason for that. */
async function sendUntilAnswered(url: string, token: string, sent: Sent): Promise<Outcome> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await send(url, token, sent)
    const isBusy = outcome.status === 503 || outcome.status === 429
    if (!isBusy || attempt === 10) return outcome
    await sleep(1_000)
  }
}

export const mutatedFiles: Attack = {
  name: 'Files with one byte damaged (1,000 each of xlsx, gz, zip, csv)',
  run: async (target) => {
    const token = await signIn(target)
    const waiting = damagedKinds.flatMap((kind) =>
      Array.from({ length: OF_EACH }, (_, seed): Sent => ({ kind, seed })),
    )
    const outcomes: Outcome[] = []
    const lane = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        outcomes.push(await sendUntilAnswered(target.url, token, next))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    const bad = outcomes.filter(({ status }) => status === 0 || status >= 500)
    const hangs = bad.filter(({ status }) => status === 0).length
    const longest = Math.max(...outcomes.map(({ ms }) => ms)) / 1_000
    const first = bad[0] ? `; first ${bad[0].kind} ${bad[0].seed}: ${bad[0].status}` : ''
    return {
      held: bad.length === 0,
      figure: `${outcomes.length} files, ${hangs} hang, ${bad.length - hangs} fail, longest ${longest.toFixed(1)} s${first}`,
    }
  },
}
