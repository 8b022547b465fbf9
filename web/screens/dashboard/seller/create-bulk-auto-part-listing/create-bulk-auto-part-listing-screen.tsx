import { useProfile } from '#web/api/account.ts'
import { useSite } from '#web/api/site.ts'
import { ImportPage } from './import-page.tsx'
import { Upsell } from './upsell.tsx'

/** Two pages at one address (spec, section 2): who may import gets the import, everybody else what it would be. */
export function Component() {
  const user = useProfile()
  const { data: site } = useSite()
  if (!user) return null
  // Administrators see Pro features unless the installation says otherwise; what they may do is the server's to say.
  const previews = user.role === 1 && site?.adminPreview !== false
  return user.sellerTier === 'PAID' || previews ? <ImportPage user={user} /> : <Upsell />
}
