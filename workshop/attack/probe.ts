import { setTimeout as sleep } from 'node:timers/promises'

/* What others notice while an installation is under attack. */

const EVERY_MS = 50
// A request that takes longer is what people call down.
const GIVE_UP_MS = 20_000

export type Noticed = {
  p99Ms: number
  longestMs: number
  failures: number
  /** Before the work began. */
  startMb: number | undefined
  peakMb: number | undefined
}

/** Asks for an address every 50 ms, and for the memory of the process every second, until the work has ended. */
export async function whileProbed(url: string, path: string, work: () => Promise<unknown>): Promise<Noticed> {
  const times: number[] = []
  const memory: number[] = []
  let failures = 0
  let isOver = false
  const startMb = await memoryOf(url)
  const probe = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const isUp = await isGood(url + path)
      times.push(performance.now() - startedAt)
      if (!isUp) failures += 1
      await sleep(EVERY_MS)
    }
  }
  const weigh = async () => {
    while (!isOver) {
      const megabytes = await memoryOf(url)
      if (megabytes !== undefined) memory.push(megabytes)
      await sleep(1_000)
    }
  }
  const probes = [probe(), weigh()]
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(probes)
  }
  times.sort((a, b) => a - b)
  return {
    p99Ms: Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? 0),
    longestMs: Math.round(times.at(-1) ?? 0),
    failures,
    startMb,
    peakMb: memory.length > 0 ? Math.max(...memory) : undefined,
  }
}

async function isGood(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(GIVE_UP_MS) })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}

/** The memory of the api process in MB, as long as its metrics are open. */
async function memoryOf(url: string): Promise<number | undefined> {
  try {
    const reply = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(GIVE_UP_MS) })
    const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(await reply.text())?.[1]
    return bytes === undefined ? undefined : Math.round(Number(bytes) / 1_000_000)
  } catch {
    return undefined
  }
}

export function inWords({ p99Ms, longestMs, failures, startMb, peakMb }: Noticed): string {
  const memory = peakMb === undefined ? 'memory unknown' : `memory ${startMb ?? '?'} to ${peakMb} MB`
  return `p99 ${p99Ms} ms, longest ${longestMs} ms, ${failures} failed, ${memory}`
}
