import { lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { CreateNameForm } from '#web/components/admin/lookups/create-name-form.tsx'
import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { Page } from '#web/components/page/page.tsx'

const create = async (typed: string) => {
  const { id, manuname } = await call(lookupEndpoints.createManufacturer, { body: { manuname: typed } })
  return { id, name: manuname }
}

export function Component() {
  return (
    <Page title="Manage Manufacturers" lead="The makers of the cars that parts come from.">
      <LookupDesk
        kind="manufacturer"
        form={(onCreated) => (
          <CreateNameForm
            label="Write Manufacturer Name"
            field="manuname"
            submit="Create manufacturer"
            create={create}
            onCreated={onCreated}
          />
        )}
      />
    </Page>
  )
}
