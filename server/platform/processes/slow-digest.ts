import { type Argon2Parameters, argon2Sync } from 'node:crypto'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { AppError } from '#server/platform/errors.ts'

/** Work of one digest; memory in KiB. */
export type Cost = { memory: number; passes: number; parallelism: number }

// OWASP's minimum for Argon2id (Password Storage Cheat Sheet). About 30 ms and 19 MiB on our smallest machine.
export const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

/**
 * Who waits for a digest: sign-ins and password checks go before registrations, so that a flood of registrations cannot
 * block sign-ins.
 */
export type DigestClass = 'sign-in' | 'registration'

// A thread costs 5 MB, and the smallest machine has two cores. Registrations use only one thread, so the next sign-in
// gets the other one at once.
const THREADS = 2
const AT_ONCE: Record<DigestClass, number> = { 'sign-in': THREADS, registration: 1 }
// About 3 s of work each, for two threads and for one; beyond that, "try again" is the better reply.
const MAY_WAIT: Record<DigestClass, number> = { 'sign-in': 200, registration: 80 }
const RETRY_SECONDS: Record<DigestClass, number> = { 'sign-in': 2, registration: 5 }

type Order = Pick<Argon2Parameters, 'message' | 'nonce' | 'memory' | 'passes' | 'parallelism' | 'tagLength'>

/** Computes digests; tests replace `compute` to count, shorten or delay them. */
export const digestThreads = { compute: computeInThread }

const lines: Record<DigestClass, (() => void)[]> = { 'sign-in': [], registration: [] }
const running: Record<DigestClass, number> = { 'sign-in': 0, registration: 0 }

/**
 * Argon2id, for secrets chosen by people, which could be guessed from a fast hash. Computed in dedicated threads,
 * because Node's four shared ones also read files, resolve names and compress.
 * @throws AppError BUSY if too many callers of this class are already waiting
 */
export async function slowDigest(
  message: string | Buffer,
  { cost, salt, tagBytes, as }: { cost: Cost; salt: Buffer; tagBytes: number; as: DigestClass },
): Promise<Buffer> {
  await turn(as)
  try {
    return await digestThreads.compute({ ...cost, message, nonce: salt, tagLength: tagBytes })
  } finally {
    running[as] -= 1
    startNext()
  }
}

function turn(as: DigestClass): Promise<void> {
  if (lines[as].length >= MAY_WAIT[as]) {
    throw new AppError('BUSY', 'Many people are doing this right now. Please try again in a moment.', {
      retryAfterSeconds: RETRY_SECONDS[as],
    })
  }
  return new Promise((resolve) => {
    lines[as].push(resolve)
    startNext()
  })
}

/** Gives free threads to waiting callers, sign-ins first. */
function startNext(): void {
  for (const as of ['sign-in', 'registration'] as const) {
    while (running['sign-in'] + running.registration < THREADS && running[as] < AT_ONCE[as]) {
      const begin = lines[as].shift()
      if (!begin) break
      running[as] += 1
      begin()
    }
  }
}

type Thread = { worker: Worker; isBusy: boolean }
type Result = { tag: Uint8Array } | { error: string }

const threads: Thread[] = []

/** Uses a free thread or starts one; `turn` admits no more callers than there may be threads. */
function computeInThread(order: Order): Promise<Buffer> {
  const thread = threads.find(({ isBusy }) => !isBusy) ?? startThread()
  const { worker } = thread
  thread.isBusy = true
  return new Promise<Buffer>((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off('message', onMessage).off('exit', onExit)
      thread.isBusy = false
      // An idle thread must not keep the process running.
      worker.unref()
      settle()
    }
    const onMessage = (result: Result) =>
      end(() => ('tag' in result ? resolve(Buffer.from(result.tag)) : reject(new Error(result.error))))
    const onExit = () => end(() => reject(new Error('the thread for digests ended')))
    worker.on('message', onMessage).on('exit', onExit)
    worker.ref()
    worker.postMessage(order)
  })
}

function startThread(): Thread {
  const worker = new Worker(new URL(import.meta.url), { workerData: DIGESTS })
  const thread = { worker, isBusy: false }
  threads.push(thread)
  // Emitted if the thread runs out of memory; `exit` follows, and the next digest starts a new thread.
  worker.on('error', () => undefined)
  worker.once('exit', () => void threads.splice(threads.indexOf(thread), 1))
  return thread
}

const DIGESTS = 'slow digests'

/** The code of a thread. */
function serveDigests(): void {
  parentPort?.on('message', (order: Order) => {
    try {
      parentPort?.postMessage({ tag: argon2Sync('argon2id', order) } satisfies Result)
    } catch (error) {
      parentPort?.postMessage({ error: String(error) } satisfies Result)
    }
  })
}

if (!isMainThread && workerData === DIGESTS) serveDigests()
