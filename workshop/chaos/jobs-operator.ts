import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '#contract/admin/automation.ts'
import type { PlannedJob } from './jobs-plan.ts'
import { trialQueues } from './jobs-trial.ts'

const SILENCE_MS = 8_000
const AGAIN_MS = 200
const LOOK_MS = 500
// An answer that was lost on its way shows as a question that is still open.
const ANSWER_AGAIN_MS = 3_000
// The first of two calls is still at work, or there are too many for now.
const WAIT_STATUSES = new Set([409, 429])

/**
 * An administrator at Mission Control who enqueues, cancels and answers over HTTP. A call that gets no reply is sent again,
 * to the other process, under the same Idempotency-Key.
 */
export class Operator {
  readonly #addresses: readonly string[]
  readonly #token: string
  readonly #signal: AbortSignal
  /** The jobs it enqueued, by the id in the reply. */
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
    // A job that must not be started again has one attempt.
    const options = { attempts: kind === 'once' ? 1 : 3 }
    const sent = { body: { ...body, options }, key: `trial ${no}` }
    const { jobId } = await this.#call<{ jobId: string }>('POST', '', sent)
    this.enqueued.set(jobId, job)
    return jobId
  }

  async cancel(jobId: string): Promise<void> {
    await this.#call('POST', `/${jobId}/cancel`)
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
          const data = this.enqueued.get(id)?.kind === 'self-check' ? '{"go":"yes"}' : 'yes'
          // Not repeated here: a question that is still open shows that the answer was lost.
          const reply = await this.#attempt('POST', `/${id}/control`, { body: { action: 'stdin', data } })
          // It may soon ask the next one.
          if (reply?.status === 200) answeredAt.delete(id)
        }),
      )
      await sleep(LOOK_MS)
    }
  }

  async #call<T>(method: string, path: string, sent: { body?: unknown; key?: string } = {}): Promise<T> {
    for (;;) {
      const reply = await this.#attempt(method, path, sent)
      if (reply && reply.status < 300) return JSON.parse(reply.text) as T
      if (reply && reply.status < 500 && !WAIT_STATUSES.has(reply.status)) {
        throw new Error(`${method} …/jobs${path} returned ${reply.status}: ${reply.text}`)
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
