import { NativeSelect } from '@mantine/core'
import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { Page } from '#web/components/page.tsx'
import { CreateCarModelForm } from './create-car-model-form.tsx'
import { useManufacturerOptions } from './manufacturer-options.ts'

export function Component() {
  const manufacturers = useManufacturerOptions('All manufacturers')
  return (
    <Page title="Manage Car Models" lead="Models, under the manufacturers that made them.">
      <LookupDesk
        kind="car-model"
        form={(onCreated) => <CreateCarModelForm onCreated={onCreated} />}
        narrowing={(manuId, onChange) => (
          <NativeSelect
            label="Manufacturer"
            data={manufacturers}
            value={manuId}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      />
    </Page>
  )
}
