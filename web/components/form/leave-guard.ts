import { useEffect, useEffectEvent } from 'react'
import { useBlocker } from 'react-router'
import { askToConfirm } from '#web/components/confirm.tsx'

const unsaved = {
  title: 'Leave without saving?',
  text: 'What you changed on this page is not saved yet.',
  confirm: 'Leave page',
}

const stays = () => false

/**
 * While `changed`, leaving the page by a link, Back, reload or closing the tab asks first. `leaves` says where another
 * address of the same page is somewhere else too.
 */
export function useLeaveGuard(
  changed: boolean,
  question = unsaved,
  leaves: (now: URLSearchParams, next: URLSearchParams) => boolean = stays,
): void {
  const blocker = useBlocker(
    ({ currentLocation: now, nextLocation: next }) =>
      changed &&
      (now.pathname !== next.pathname ||
        leaves(new URLSearchParams(now.search), new URLSearchParams(next.search))),
  )

  const asked = useEffectEvent(() => question)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void askToConfirm({ ...asked(), cancel: 'Stay', destroys: true }).then((leave) =>
      leave ? blocker.proceed() : blocker.reset(),
    )
  }, [blocker])

  useEffect(() => {
    if (!changed) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [changed])
}
