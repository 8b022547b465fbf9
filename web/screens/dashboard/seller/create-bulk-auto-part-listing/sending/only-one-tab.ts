import type { RunElsewhere } from './run-progress.ts'

/* Lets only one tab upload at a time, and shows its progress in the others. */

const LOCK = 'bulkImport'
const CHANNEL = 'bulkImport'

/** Locks exist only on https and localhost. Without them the server still imports each row only once. */
const locks = (): LockManager | undefined => navigator.locks

/** Runs `work` unless another tab holds the lock. Returns whether it ran. */
export async function runInThisTab(work: () => Promise<void>): Promise<boolean> {
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

export async function runsInOtherTab(): Promise<boolean> {
  const { held = [] } = (await locks()?.query()) ?? {}
  return held.some(({ name }) => name === LOCK)
}

/** Resolves once no other tab is uploading. */
export async function whenOtherTabsEnd(signal: AbortSignal): Promise<void> {
  await locks()?.request(LOCK, { signal }, () => undefined)
}

/** `importId` is sent when a run ended in an import. */
type TabMessage = RunElsewhere | 'who' | { importId: string }

/** Broadcasts this tab's run to the other tabs. */
export function broadcastRun() {
  const channel = new BroadcastChannel(CHANNEL)
  let last: RunElsewhere | undefined
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'who' && last) channel.postMessage(last)
  }
  return {
    show(run: RunElsewhere): void {
      last = run
      channel.postMessage(run)
    },
    end(importId: string | undefined): void {
      if (importId !== undefined) channel.postMessage({ importId })
      channel.close()
    },
  }
}

/** Listens to another tab's run until the signal aborts. */
export function followOtherTab(
  signal: AbortSignal,
  { onRun, onEnd }: { onRun: (run: RunElsewhere) => void; onEnd: (importId: string) => void },
): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'who') return
    if ('importId' in data) onEnd(data.importId)
    else onRun(data)
  }
  signal.addEventListener('abort', () => channel.close())
  channel.postMessage('who')
}
