import { lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { CreateNameForm } from '#web/components/admin/lookups/create-name-form.tsx'
import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { Page } from '#web/components/page/page.tsx'

const create = (name: string) => call(lookupEndpoints.createCategory, { body: { name } })

export function Component() {
  return (
    <Page title="Manage Categories" lead="The kinds of parts that sellers can list.">
      <LookupDesk
        kind="category"
        form={(onCreated) => (
          <CreateNameForm
            label="Write Category Name"
            field="name"
            submit="Create category"
            create={create}
            onCreated={onCreated}
          />
        )}
      />
    </Page>
  )
}
