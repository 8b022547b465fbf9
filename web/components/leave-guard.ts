import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { askToConfirm } from './confirm.tsx'

/** While `changed`, leaving the page by a link, Back, reload or closing the tab asks first. */
export function useLeaveGuard(changed: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => changed && currentLocation.pathname !== nextLocation.pathname,
  )

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void askToConfirm({
      title: 'Leave without saving?',
      text: 'What you changed on this page is not saved yet.',
      confirm: 'Leave page',
      cancel: 'Stay',
      destroys: true,
    }).then((leave) => (leave ? blocker.proceed() : blocker.reset()))
  }, [blocker])

  useEffect(() => {
    if (!changed) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [changed])
}
