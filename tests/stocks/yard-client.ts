import { setTimeout as sleep } from 'node:timers/promises'
import type { DryRunReply, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import type { Category } from '#contract/lookups.ts'
import {
  type Proposers,
  proposersOf,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/proposers.ts'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  countChunks,
  fileChunks,
  sentReading,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/file-chunks.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'

/* A yard's browser without the browser: what the wizard loads, sends and reads of a running installation. */

export type Refusal = { status: number; error: string; code: string }
export const isRefusal = (reply: object): reply is Refusal => 'error' in reply && 'code' in reply

const PER_PAGE = 100
const LOOK_MS = 150
const PATIENCE_MS = 120_000

export class YardClient {
  readonly #address: string
  readonly #token: string

  constructor(address: string, token: string) {
    this.#address = address
    this.#token = token
  }

  async call<Reply extends object>(method: string, path: string, body?: object): Promise<Reply | Refusal> {
    const isForm = body instanceof FormData
    const response = await fetch(`${this.#address}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        cookie: 'wrote=1',
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const reply = (await response.json()) as Reply
    return response.ok ? reply : ({ ...reply, status: response.status } as unknown as Refusal)
  }

  async get<Reply extends object>(path: string): Promise<Reply> {
    const reply = await this.call<Reply>('GET', path)
    if (isRefusal(reply)) throw new Error(`${path} returned ${reply.status}: ${reply.error}`)
    return reply
  }

  /** What columns are suggested by, as the wizard loads it. */
  async proposers(): Promise<Proposers & { categories: readonly Category[] }> {
    const [{ mine, global }, categories, manufacturers, models, words] = await Promise.all([
      this.get<{ mine: []; global: [] }>('/pro/mappings'),
      this.get<Category[]>('/categories'),
      this.get<Parameters<typeof proposersOf>[0]['manufacturers']>('/manufacturers'),
      this.get<Parameters<typeof proposersOf>[0]['models']>('/carmodels'),
      this.get<NonNullable<Parameters<typeof proposersOf>[0]['words']>>('/pro/trade-words'),
    ])
    const found = proposersOf({ templates: [...mine, ...global], categories, manufacturers, models, words })
    return { ...found, categories }
  }

  /** Sends a file as the wizard does, chunk by chunk; the reply to the last chunk. */
  async send<Reply extends DryRunReply | StagedReply>(
    order: RunOrder,
    key: string,
  ): Promise<Reply | Refusal> {
    const rows = () => fileRecords(order.file)
    const count = await countChunks(order, rows)
    let last: Reply | Refusal = { status: 0, error: 'The file has no rows', code: 'NO_ROWS' }
    for await (const chunk of fileChunks(order, rows())) {
      const form = new FormData()
      const texts = {
        mapping: order.mapping,
        defaults: order.defaults,
        reading: sentReading(order),
        staging: order.staging,
        suggested: order.suggested ?? [],
        answers: order.answers ?? {},
      }
      for (const [name, value] of Object.entries(texts)) form.append(name, JSON.stringify(value))
      form.append('mode', order.mode)
      form.append('chunkIndex', String(chunk.index))
      form.append('chunkCount', String(count))
      form.append('idempotencyKey', key)
      form.append('file', await chunk.content(), order.file.file.name)
      last = await this.call<Reply>('POST', `/pro/bulk/parts/csv?dryRun=${order.dryRun ? 1 : 0}`, form)
      if (isRefusal(last)) return last
    }
    return last
  }

  /** Waits until an import is live, and confirms it if it only waits for the seller. */
  async untilLive(importId: string): Promise<ImportRecord & { confirmed: string[] }> {
    const confirmed: string[] = []
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const record = await this.get<ImportRecord>(`/pro/imports/${importId}`)
      if (['applied', 'failed', 'withdrawn'].includes(record.state) || Date.now() > deadline) {
        return { ...record, confirmed }
      }
      if (record.state === 'review' && record.canConfirm && record.plan) {
        confirmed.push(...record.review.map(({ message }) => message))
        await this.call('POST', `/pro/imports/${importId}/confirm`, { planId: record.plan.id })
      }
      await sleep(LOOK_MS)
    }
  }

  /** The yard's parts that are for sale. */
  async listings(): Promise<Listing[]> {
    const found: Listing[] = []
    for (let page = 1; ; page += 1) {
      const { items, lastPage } = await this.get<ListingPage>(
        `/seller/parts?page=${page}&perPage=${PER_PAGE}&sort=oldest`,
      )
      found.push(...items)
      if (items.length === 0 || page >= lastPage) return found
    }
  }
}
