import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '#contract/automation.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { PlannedJob } from './jobs-plan.ts'
import { trialQueues } from './jobs-queues.ts'

const SILENCE_MS = 8_000
const AGAIN_MS = 200
const LOOK_MS = 500
// An answer that was lost on its way shows as a question that is still open.
const ANSWER_AGAIN_MS = 3_000

/**
 * An administrator at Mission Control, who enqueues, cancels and answers over HTTP. What gets no answer is sent again, to
 * the other process, under the same Idempotency-Key.
 */
export class Operator {
  readonly #addresses: readonly string[]
  readonly #token: string
  readonly #signal: AbortSignal
  /** What it enqueued, by the id that it was told. */
  readonly enqueued = new Map<string, PlannedJob>()
  /** Calls that had to be sent again. */
  repeated = 0
  #calls = 0

  constructor(addresses: readonly string[], token: string, signal: AbortSignal) {
    this.#addresses = addresses
    this.#token = token
    this.#signal = signal
  }

  async enqueue(job: PlannedJob): Promise<string> {
    const { no, kind, steps, ms } = job
    const body =
      kind === 'self-check'
        ? { queue: 'preprocess', payload: { scriptId: kind, flags: { test: true, ask: true } } }
        : { queue: trialQueues[kind].name, payload: { no, steps, ms } }
    // One that must not be begun again has one attempt.
    const options = { attempts: kind === 'once' ? 1 : 3 }
    const { jobId } = await this.#post<{ jobId: string }>('', { ...body, options }, `trial ${no}`)
    this.enqueued.set(jobId, job)
    return jobId
  }

  async cancel(jobId: string): Promise<void> {
    await this.#post(`/${jobId}/cancel`, undefined)
  }

  /** Answers questions until the signal aborts. */
  async answerAll(): Promise<void> {
    const seenAt = new Map<string, number>()
    const answeredAt = new Map<string, number>()
    while (!this.#signal.aborted) {
      const { items } = await this.#call<{ items: Job[] }>('GET', '?status=waiting-manual&limit=100')
      const now = Date.now()
      const due = items.filter(({ id }) => {
        if (!seenAt.has(id)) seenAt.set(id, now)
        const patience = this.enqueued.get(id)?.answerAfterMs ?? 0
        return now - (seenAt.get(id) ?? now) >= patience && now - (answeredAt.get(id) ?? 0) > ANSWER_AGAIN_MS
      })
      await Promise.all(
        due.map(async ({ id }) => {
          answeredAt.set(id, now)
          const isForm = this.enqueued.get(id)?.kind === 'self-check'
          const status = await this.#answer(id, isForm ? '{"go":"yes"}' : 'yes')
          // It may ask the next one soon.
          if (status === 200) answeredAt.delete(id)
        }),
      )
      await sleep(LOOK_MS)
    }
  }

  /** Not sent again: whether it came is seen in what still waits. */
  async #answer(jobId: string, data: string): Promise<number | undefined> {
    return (await this.#attempt('POST', `/${jobId}/control`, { body: { action: 'stdin', data } }))?.status
  }

  #post<T>(path: string, body: unknown, key?: string): Promise<T> {
    return this.#call<T>('POST', path, { body, ...(key !== undefined && { key }) })
  }

  async #call<T>(method: string, path: string, sent: { body?: unknown; key?: string } = {}): Promise<T> {
    for (;;) {
      const answer = await this.#attempt(method, path, sent)
      if (answer && answer.status < 300) return JSON.parse(answer.text) as T
      if (answer && answer.status < 500 && !AGAIN.has(answer.status)) {
        throw new Error(`${method} …/jobs${path} was answered ${answer.status}: ${answer.text}`)
      }
      this.#signal.throwIfAborted()
      this.repeated += 1
      await sleep(AGAIN_MS)
    }
  }

  async #attempt(method: string, path: string, { body, key }: { body?: unknown; key?: string }) {
    this.#calls += 1
    const address = this.#addresses[this.#calls % this.#addresses.length] ?? ''
    try {
      const response = await fetch(`${address}/api/admin/automation/jobs${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(SILENCE_MS),
      })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
}

// The first of two is still at work, or they are too many for now.
const AGAIN = new Set([409, 429])

/** A new administrator's token. */
export async function openAdmin(address: string, db: Db): Promise<string> {
  const email = `admin-${randomBytes(6).toString('hex')}@parts.example`
  const password = `${randomBytes(6).toString('hex')}-Sable-quay`
  await post(`${address}/api/register`, { name: 'Trial', email, password })
  await db.updateTable('app_user').set({ role: 1 }).where('email', '=', email).execute()
  return (await post<{ token: string }>(`${address}/api/login`, { email, password })).token
}

async function post<T>(url: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
