import { useProfile } from '#web/api/use-profile.ts'
import { ImportPage } from './import-page.tsx'
import { Upsell } from './upsell.tsx'

/** Two pages at one address (spec, section 2): who may import gets the import, everybody else what it would be. */
export function Component() {
  const user = useProfile()
  if (!user) return null
  // Administrators see Pro features; what they may do is the server's to say.
  return user.sellerTier === 'PAID' || user.role === 1 ? <ImportPage user={user} /> : <Upsell />
}
