import { useEffect, useEffectEvent, useState } from 'react'
import { useBlocker } from 'react-router'
import { askToConfirm } from '#web/components/confirm.tsx'

const unsaved = {
  title: 'Leave without saving?',
  text: 'Your changes on this page are not saved.',
  confirm: 'Leave page',
}

const staysOnPath = () => false

type BlockedLeave = { proceed(): void; reset(): void }

/**
 * Asks once, however often the user tries to leave while the dialog is open: a second Back must not open a second one.
 * The answer applies to the last attempt, since the router forgets the earlier ones.
 */
export function leaveQuestion() {
  let last: BlockedLeave | undefined
  let isOpen = false
  return {
    async put(blocked: BlockedLeave, ask: () => Promise<boolean>): Promise<void> {
      last = blocked
      if (isOpen) return
      isOpen = true
      const leaves = await ask()
      isOpen = false
      if (leaves) last?.proceed()
      else last?.reset()
    },
    /** Nothing is blocked anymore: the answer to an open dialog no longer matters. */
    drop(): void {
      last = undefined
    },
  }
}

/**
 * While `changed`, asks before the user leaves the page by a link, Back, reload, or closing the tab. `leaves` returns
 * whether a different query on the same path counts as leaving.
 */
export function useLeaveGuard(
  changed: boolean,
  question = unsaved,
  leaves: (now: URLSearchParams, next: URLSearchParams) => boolean = staysOnPath,
): void {
  const blocker = useBlocker(
    ({ currentLocation: now, nextLocation: next }) =>
      changed &&
      (now.pathname !== next.pathname ||
        leaves(new URLSearchParams(now.search), new URLSearchParams(next.search))),
  )

  const [leaving] = useState(leaveQuestion)
  const ask = useEffectEvent(() => askToConfirm({ ...question, cancel: 'Stay', destroys: true }))
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void leaving.put(blocker, () => ask())
    return leaving.drop
  }, [blocker, leaving])

  useEffect(() => {
    if (!changed) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [changed])
}
