import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { Page } from '#web/components/page/page.tsx'

export function Component() {
  return (
    <Page title="Manage Car Models" lead="Car models by manufacturer.">
      <LookupDesk kind="car-model" />
    </Page>
  )
}
