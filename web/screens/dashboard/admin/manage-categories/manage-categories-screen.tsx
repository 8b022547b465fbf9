import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { Page } from '#web/components/page/page.tsx'

export function Component() {
  return (
    <Page title="Manage Categories" lead="The kinds of parts that sellers can list.">
      <LookupDesk kind="category" />
    </Page>
  )
}
