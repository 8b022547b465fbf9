import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { Page } from '#web/components/page/page.tsx'

export function Component() {
  return (
    <Page title="Manage Manufacturers" lead="The makers of the cars that parts come from.">
      <LookupDesk kind="manufacturer" />
    </Page>
  )
}
