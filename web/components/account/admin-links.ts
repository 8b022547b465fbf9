import type { User } from '#contract/accounts.ts'
import { paths } from '#web/paths.ts'

/** What a menu shows to admins (role 1) besides. */
export function adminLinks({ role }: Pick<User, 'role'>): { label: string; to: string }[] {
  if (role !== 1) return []
  return [
    { label: 'Admin Dashboard', to: paths.adminDashboard },
    { label: 'Mission Control', to: paths.missionControl },
  ]
}
