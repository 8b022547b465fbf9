import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '#web/api/sign-in.ts'
import { notifyInfo } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/**
 * Goes home first, so that the guard of the page left behind does not start its countdown; where unsaved changes keep
 * the person on their page, they stay signed in.
 */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async () => {
    await navigate(paths.home)
    if (window.location.pathname !== paths.home) return
    notifyInfo('Signed out')
    await signOut()
  }, [navigate])
}
