import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { usePageTitle } from '#web/components/page/page.tsx'
import { useDelayed, Waiting } from '#web/components/page/waiting.tsx'
import { notifyInfo } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/** Given by the spec. */
const redirectAfterMs = 50

/** The return page after a checkout that was canceled. */
export function Component() {
  usePageTitle('Upgrade canceled')
  const navigate = useNavigate()
  useEffect(() => {
    notifyInfo("Upgrade canceled. You're still on Free. Try again when you're ready.", { about: 'payments' })
  }, [])
  useDelayed(true, redirectAfterMs, () => void navigate(paths.sellerDashboard, { replace: true }))
  return <Waiting label="Going to your dashboard…" />
}
