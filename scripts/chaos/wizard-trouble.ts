import { setTimeout as sleep } from 'node:timers/promises'
import type { CuttingProxy } from '#tests/support/cutting-proxy.ts'
import type { Installation, InstalledProcess } from '#tests/support/installation.ts'
import type { Trouble } from './wizard-plan.ts'
import type { WizardWindow } from './wizard-window.ts'

export type Troubled = {
  readonly installation: Installation
  readonly window: WizardWindow
  readonly line: Pick<CuttingProxy, 'cutAll'> & { readonly nextCuts: number[] }
  /** Hears when nothing can go on, and when it can again. */
  readonly onAway: (away: boolean) => void
}

/** Does it, and resolves when everything is as before. */
export async function bringTrouble(troubled: Troubled, trouble: Trouble): Promise<void> {
  const { installation, window, line, onAway } = troubled
  switch (trouble.kind) {
    case 'request lost':
    case 'answer lost':
      return window.lose(trouble.kind, trouble.times)
    case 'line cut':
      line.nextCuts.push(...trouble.nextCuts)
      return line.cutAll()
    case 'offline':
      await window.setOffline(true)
      return away(onAway, trouble.forMs, () => window.setOffline(false))
    case 'second tab':
      await window.openTab('run')
      return
    case 'reload':
      return reload(troubled)
    case 'tab closed':
      return closeTab(troubled, trouble.backAfterMs)
    case 'api killed':
      return killInTurn(installation.ofRole('api')[0], trouble.backAfterMs, onAway)
    case 'worker killed':
      return killInTurn(installation.ofRole('worker')[0], trouble.backAfterMs, onAway)
  }
}

async function away(onAway: Troubled['onAway'], forMs: number, back: () => Promise<unknown>): Promise<void> {
  onAway(true)
  try {
    await sleep(forMs)
    await back()
  } finally {
    onAway(false)
  }
}

/** While a page loads nothing of it is cut: a person who sees half a page presses the button again. */
async function reload({ window, line, onAway }: Troubled): Promise<void> {
  const [page] = window.tabs
  line.nextCuts.length = 0
  if (page) await away(onAway, 0, () => window.reload(page))
}

/** The oldest tab; where another one is open, that has to go on by itself. */
async function closeTab({ window, line, onAway }: Troubled, backAfterMs: number): Promise<void> {
  const [page, ...others] = window.tabs
  line.nextCuts.length = 0
  if (page === undefined) return
  if (others.length > 0) return page.close()
  onAway(true)
  try {
    await page.close()
    await sleep(backAfterMs)
    await window.openTab()
  } finally {
    onAway(false)
  }
}

const turns = new WeakMap<InstalledProcess, Promise<void>>()

/** Two kills of one process come one after the other: started twice at one moment, there would be two of it. */
async function killInTurn(
  process: InstalledProcess | undefined,
  backAfterMs: number,
  onAway: Troubled['onAway'],
): Promise<void> {
  if (!process) throw new Error('there is no process to kill')
  const turn = (turns.get(process) ?? Promise.resolve()).then(async () => {
    await process.kill()
    await away(onAway, backAfterMs, () => process.startUntilReady())
  })
  turns.set(
    process,
    turn.catch(() => undefined),
  )
  return turn
}
