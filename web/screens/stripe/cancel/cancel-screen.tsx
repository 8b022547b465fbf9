import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { usePageTitle } from '#web/components/page/page.tsx'
import { useDelayed, Waiting } from '#web/components/page/waiting.tsx'
import { notifyInfo } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/** Spec, section 9. */
const onAfterMs = 50

/** Where the checkout sends whoever left it without paying. */
export function Component() {
  usePageTitle('Upgrade canceled')
  const navigate = useNavigate()
  useEffect(() => {
    notifyInfo("Upgrade canceled. You're still on Free. Try again when you're ready.", { about: 'payments' })
  }, [])
  useDelayed(true, onAfterMs, () => void navigate(paths.sellerDashboard, { replace: true }))
  return <Waiting label="Going to your dashboard…" />
}
