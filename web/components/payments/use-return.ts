import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useRefreshStatus } from './account-actions.ts'
import type { ToastPlace } from './payment-action.ts'

/**
 * Whoever comes back from a page of the provider (`?connect=returned`, `?billing=returned`) has their status read anew,
 * once: the address is cleaned, so that a reload does not do it again. `tell` says what came of it.
 */
export function useReturn(from: 'connect' | 'billing', tell?: (user: User, toast: ToastPlace) => void): void {
  const [search, setSearch] = useSearchParams()
  const returned = search.get(from) === 'returned'
  const refresh = useRefreshStatus(tell)
  const takeIn = useEffectEvent(() => {
    const rest = new URLSearchParams(search)
    rest.delete(from)
    setSearch(rest, { replace: true, preventScrollReset: true })
    refresh.run()
  })
  useEffect(() => {
    if (returned) takeIn()
  }, [returned])
}
