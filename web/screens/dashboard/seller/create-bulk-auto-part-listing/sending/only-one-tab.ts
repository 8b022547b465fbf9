import type { RunElsewhere } from './import-run.ts'

/** Lets one tab of the browser send at a time, and the others see how far it is. */

const LOCK = 'bulkImport'
const CHANNEL = 'bulkImport'

/** Browsers have locks on https and localhost only; without them the server still takes each row once. */
const locks = (): LockManager | undefined => (typeof navigator === 'undefined' ? undefined : navigator.locks)

/** Does the work unless another tab is at it; answers whether it was done. */
export async function inThisTab(work: () => Promise<void>): Promise<boolean> {
  const manager = locks()
  if (!manager) {
    await work()
    return true
  }
  return manager.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return false
    await work()
    return true
  })
}

/** Whether some tab is at work now. */
export async function isElsewhere(): Promise<boolean> {
  const { held = [] } = (await locks()?.query()) ?? {}
  return held.some(({ name }) => name === LOCK)
}

/** Resolves once no other tab is at work. */
export async function untilOthersEnd(signal: AbortSignal): Promise<void> {
  await locks()?.request(LOCK, { signal }, () => undefined)
}

/** How a run in another tab ended, where an import came of it. */
type Ended = { importId: string }
type Told = RunElsewhere | 'who' | Ended

/** Speaks of this tab's run to the others, and answers those that ask. */
export function tellOthers() {
  const channel = openChannel()
  let last: RunElsewhere | undefined
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data === 'who' && last) channel.postMessage(last)
    }
  }
  return {
    tell(run: RunElsewhere): void {
      last = run
      channel?.postMessage(run)
    },
    end(importId: string | undefined): void {
      if (importId !== undefined) channel?.postMessage({ importId })
      channel?.close()
    },
  }
}

/** Hears of another tab's run until the signal ends. */
export function hearOthers(
  signal: AbortSignal,
  { onRun, onEnd }: { onRun: (run: RunElsewhere) => void; onEnd: (importId: string) => void },
): void {
  const channel = openChannel()
  if (!channel) return
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data === 'who') return
    if ('importId' in data) onEnd(data.importId)
    else onRun(data)
  }
  signal.addEventListener('abort', () => channel.close())
  channel.postMessage('who')
}

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL)
