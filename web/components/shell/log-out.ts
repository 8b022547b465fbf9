import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '#web/api/sign-in.ts'
import { notifyInfo } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/** The home page's code may not come at all; the session must not wait for it. */
const waitForHomeMs = 1500

/**
 * Goes home first, so that the guard of the page left behind does not start its countdown; where unsaved changes keep
 * the person on their page, they stay signed in. Without a server to bring the home page, the session ends all the same.
 */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async () => {
    const settled = Promise.resolve(navigate(paths.home)).then(() => true)
    const late = new Promise<false>((resolve) => setTimeout(resolve, waitForHomeMs, false))
    const kept = (await Promise.race([settled, late])) && window.location.pathname !== paths.home
    if (kept) return
    notifyInfo('Signed out')
    await signOut()
  }, [navigate])
}
