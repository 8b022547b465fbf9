/** The current state of a job that has not ended. */
export type UnfinishedJob = {
  readonly id: string
  readonly queue: string
  readonly status: string
  /** Everything that changes while it makes progress, as one text. */
  readonly trace: string
  /** Its time has come. */
  readonly isDue: boolean
}

type Watched = {
  queue: string
  trace: string
  isWaiting: boolean
  movedAt: number
  /** It has waited for a place since then. */
  queuedAt: number
  /** Since then a job that came later has been started before it. */
  passedOverAt: number | undefined
}
type QueueState = { movedAt: number; startedOfQueuedAt: number }

export type Stillness = { readonly ms: number; readonly job: string }

// Looks are some hundred milliseconds apart, so the order of two jobs is known only beyond that.
const ORDER_MS = 2_000

/**
 * Measures how long jobs stand still. A running job stands still while nothing about it changes; a waiting one while its
 * queue stands still, or after jobs that came later got its place. A job that waits for a person does not stand still, and
 * while nothing can make progress (no database, no worker) none does.
 */
export class JobsWatch {
  readonly #jobs = new Map<string, Watched>()
  readonly #queues = new Map<string, QueueState>()
  readonly #longest = new Map<string, number>()

  note(jobs: readonly UnfinishedJob[], now: number): void {
    const unfinished = new Set(jobs.map(({ id }) => id))
    for (const [id, watched] of this.#jobs) {
      if (unfinished.has(id)) continue
      this.#started(watched, now)
      this.#jobs.delete(id)
    }
    for (const job of jobs) this.#move(job, now)
    for (const job of jobs) this.#measure(job, now)
  }

  /** Nothing can make progress: the time of every job starts again. */
  away(now: number): void {
    for (const job of this.#jobs.values()) {
      job.movedAt = now
      if (job.passedOverAt !== undefined) job.passedOverAt = now
    }
    for (const queue of this.#queues.values()) queue.movedAt = now
  }

  /** Longest first. */
  longest(): Stillness[] {
    return [...this.#longest].map(([job, ms]) => ({ job, ms })).sort((a, b) => b.ms - a.ms)
  }

  #queue(name: string, now: number): QueueState {
    const queue = this.#queues.get(name) ?? { movedAt: now, startedOfQueuedAt: Number.NEGATIVE_INFINITY }
    this.#queues.set(name, queue)
    return queue
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
    this.#jobs.set(id, { queue, trace, isWaiting, movedAt: now, queuedAt, passedOverAt: undefined })
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
    // Scripts of one queue are not started in the order in which they were enqueued.
    const isInOrder = job.queue !== 'preprocess'
    if (!isInOrder || job.queuedAt > queue.startedOfQueuedAt - ORDER_MS) return queue.movedAt
    job.passedOverAt ??= now
    return job.passedOverAt
  }
}
