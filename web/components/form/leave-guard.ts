import { useEffect, useEffectEvent, useState } from 'react'
import { useBlocker } from 'react-router'
import { askToConfirm } from '#web/components/confirm.tsx'

const unsaved = {
  title: 'Leave without saving?',
  text: 'What you changed on this page is not saved yet.',
  confirm: 'Leave page',
}

const stays = () => false

type BlockedLeave = { proceed(): void; reset(): void }

/**
 * One question, however often the user tries to leave while it is open: a second Back must not open a second dialog. The
 * answer goes to the last try, since the router forgets the ones before it.
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
    /** Nothing is blocked anymore, so the answer of an open question moves nothing. */
    drop(): void {
      last = undefined
    },
  }
}

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
