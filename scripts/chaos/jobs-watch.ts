/** A job that has not ended, as it stands now. */
export type UnfinishedJob = {
  readonly id: string
  readonly queue: string
  readonly status: string
  /** Everything that moves while it goes on, as one text. */
  readonly trace: string
  /** May be started now, as far as time is concerned. */
  readonly isDue: boolean
}

type Watched = {
  queue: string
  trace: string
  isWaiting: boolean
  movedAt: number
  /** Waits for a place since then. */
  queuedAt: number
  /** One that came after it has been started, so its turn was passed over. */
  passedOverAt: number | undefined
}
type QueueState = { movedAt: number; startedOfQueuedAt: number }

export type Stillness = { readonly ms: number; readonly job: string }

// Looks are some hundred milliseconds apart, so the order of two jobs is known only beyond that.
const ORDER_MS = 2_000

/**
 * Looks how long jobs stand still. A running one stands still while nothing about it changes; one that waits for its turn
 * while its queue stands still, or others that came later were given its place. One that waits for a person does not
 * stand still, and while nothing can go on (no database, no worker) nobody does.
 */
export class JobsWatch {
  readonly #jobs = new Map<string, Watched>()
  readonly #queues = new Map<string, QueueState>()
  readonly #inOrder: (queue: string) => boolean
  readonly #longest = new Map<string, number>()

  /** `inOrder` says whether jobs of a queue come in the order in which they were enqueued. */
  constructor(inOrder: (queue: string) => boolean = () => true) {
    this.#inOrder = inOrder
  }

  note(jobs: readonly UnfinishedJob[], now: number): void {
    const seen = new Map(jobs.map((job) => [job.id, job]))
    for (const [id, watched] of this.#jobs) {
      if (!seen.has(id)) this.#end(id, watched, now)
    }
    for (const job of jobs) this.#move(job, now)
    for (const job of jobs) this.#measure(job, now)
  }

  /** Nothing can go on: time begins anew for all. */
  away(now: number): void {
    for (const job of this.#jobs.values()) {
      job.movedAt = now
      if (job.passedOverAt !== undefined) job.passedOverAt = now
    }
    for (const queue of this.#queues.values()) queue.movedAt = now
  }

  /** Who stood still for longest, longest first. */
  longest(): Stillness[] {
    return [...this.#longest].map(([job, ms]) => ({ job, ms })).sort((a, b) => b.ms - a.ms)
  }

  #queue(name: string, now: number): QueueState {
    const known = this.#queues.get(name)
    if (known) return known
    const queue = { movedAt: now, startedOfQueuedAt: Number.NEGATIVE_INFINITY }
    this.#queues.set(name, queue)
    return queue
  }

  #end(id: string, watched: Watched, now: number): void {
    this.#started(watched, now)
    this.#jobs.delete(id)
  }

  #started({ queue: name, isWaiting, queuedAt }: Watched, now: number): void {
    const queue = this.#queue(name, now)
    queue.movedAt = now
    if (isWaiting) queue.startedOfQueuedAt = Math.max(queue.startedOfQueuedAt, queuedAt)
  }

  #move({ id, queue, status, trace, isDue }: UnfinishedJob, now: number): void {
    const isWaiting = status === 'queued' || status === 'retrying'
    const known = this.#jobs.get(id)
    if (known?.trace === trace) {
      if (!isDue) known.queuedAt = now
      return
    }
    if (known) this.#started(known, now)
    const queuedAt = known?.isWaiting && isWaiting ? known.queuedAt : now
    const fresh = { queue, trace, isWaiting, movedAt: now, queuedAt, passedOverAt: undefined }
    this.#jobs.set(id, fresh)
    this.#queue(queue, now)
  }

  #measure({ id, queue: name, status, isDue }: UnfinishedJob, now: number): void {
    const job = this.#jobs.get(id)
    if (!job) return
    if (status === 'waiting-manual' || (job.isWaiting && !isDue)) job.movedAt = now
    const stillMs = now - Math.max(job.movedAt, this.#turnAt(job, this.#queue(name, now), now))
    if (stillMs > (this.#longest.get(id) ?? 0)) this.#longest.set(id, stillMs)
  }

  /** Since when it has been the engine's turn to do something about the job. */
  #turnAt(job: Watched, queue: QueueState, now: number): number {
    if (!job.isWaiting) return job.movedAt
    if (!this.#inOrder(job.queue) || job.queuedAt > queue.startedOfQueuedAt - ORDER_MS) return queue.movedAt
    job.passedOverAt ??= now
    return job.passedOverAt
  }
}
