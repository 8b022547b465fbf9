import { useProfile } from '#web/api/use-profile.ts'
import { FreeDashboard } from './free-dashboard.tsx'
import { ProCommandCenter } from './pro-command-center.tsx'
import { useReturnFromConnect } from './use-return-from-connect.ts'

/** Two dashboards at one address, by tier (spec, section 2). */
export function Component() {
  const user = useProfile()
  useReturnFromConnect()
  if (!user) return null
  return user.sellerTier === 'PAID' ? <ProCommandCenter user={user} /> : <FreeDashboard user={user} />
}
