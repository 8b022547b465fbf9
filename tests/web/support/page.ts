import { setTimeout as later, setImmediate as turn } from 'node:timers/promises'
import { configure, getConfig } from '@testing-library/dom'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'

/*
 * What people get is React's production build, which has no `act`, and it takes half the time of the other. After each thing
 * that a user does React gets a turn to show what it changed; what comes later has to be waited for, as in a browser.
 */

const { getElementError } = getConfig()

configure({
  // The page in words takes longer than the query. While something is waited for nobody reads it; the last error gets it.
  getElementError: (message, container) =>
    waiting()
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
  // A machine that runs other stages at the same time may take this long for an instant task.
  asyncUtilTimeout: 15_000,
  asyncWrapper: async (run) => {
    const result = await run()
    // React renders in one turn and runs its effects in another; a slow render needs a third.
    await later()
    for (let turns = 0; turns < 3; turns++) await turn()
    return result
  },
})

/** Set while an attempt of `waitFor` runs. */
const waiting = (): boolean => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics')

const shown = new Map<Root, HTMLElement>()

export function render(page: ReactNode): void {
  const at = document.body.appendChild(document.createElement('div'))
  const root = createRoot(at)
  shown.set(root, at)
  flushSync(() => root.render(page))
}

/** Takes away all that was rendered, as when the browser tab is closed. */
export function cleanup(): void {
  for (const [root, at] of shown) {
    root.unmount()
    at.remove()
  }
  shown.clear()
}
