import { Autocomplete, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type ChangeEvent, useMemo } from 'react'
import { type ImportDefaults, type ImportField, importFieldLabels } from '#contract/csv/import-fields.ts'
import { grades } from '#contract/listing/listing-rules.ts'
import { filterByWords, groupedCategories } from '#web/components/listing-lookups/lookup-options.ts'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { labelsOf } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import {
  Details,
  NextStepBar,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/next-step-bar.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { gradeWords } from '#web/site/card/listing-words.ts'
import { JsonArea } from './json-area.tsx'

export function DefaultsTab({ wizard }: { wizard: Wizard }) {
  const { defaults, setDefaults, staging, setStaging, locked, lacking, file } = wizard
  const stagingField = (name: keyof typeof staging) => ({
    value: staging[name],
    maxLength: 60,
    autoComplete: 'off',
    disabled: locked,
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      setStaging({ ...staging, [name]: event.currentTarget.value }),
  })
  return (
    <Stack gap="md">
      <SectionCard
        title="Values for empty cells"
        lead="Used where a row has no value. Values that are the same in every row don’t need a column."
      >
        {file && lacking.length > 0 && (
          <Text c="warning">No column for {labelsOf(lacking)}. A value here applies to all rows.</Text>
        )}
        <DefaultFields defaults={defaults} onChange={setDefaults} disabled={locked} />
        <JsonArea
          label="Defaults JSON"
          description="Field to value. Stays in sync with the fields above."
          placeholder={'{ "partcity": "Tulsa", "partstate": "OK" }'}
          json={wizard.defaultsJson}
          disabled={locked}
        />
      </SectionCard>
      <Details label="Details: where the rows are staged">
        <Text className="second" mb="sm">
          Rows are stored in a staging file until they go live. You usually don’t need to change this.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
          <TextInput label="Seller slug" {...stagingField('sellerSlug')} />
          <TextInput label="Dataset hint" {...stagingField('datasetHint')} />
          <TextInput
            type="date"
            label="Staging date"
            {...stagingField('timestamp')}
            min="2000-01-01"
            max="2099-12-31"
          />
        </SimpleGrid>
      </Details>
      <NextStepBar wizard={wizard} />
    </Stack>
  )
}

type DefaultFieldsProps = {
  defaults: ImportDefaults
  onChange: (defaults: ImportDefaults) => void
  disabled: boolean
}

type TextField = { field: ImportField; placeholder?: string; autoComplete?: string }

const texts: TextField[] = [
  { field: 'partcity', autoComplete: 'address-level2' },
  { field: 'partstate', placeholder: 'OK', autoComplete: 'address-level1' },
  { field: 'zipcode', autoComplete: 'postal-code' },
  { field: 'dealername', autoComplete: 'organization' },
  { field: 'dealerphone', autoComplete: 'tel' },
  { field: 'partshipping', placeholder: 'Free, Flat $20, Pickup only' },
  { field: 'partquantity', placeholder: '1' },
  { field: 'partname' },
  { field: 'partmodel' },
  { field: 'partyear' },
  { field: 'partprice' },
  { field: 'parttrim' },
  { field: 'partmiles' },
  { field: 'partdescription' },
]

function DefaultFields({ defaults, onChange, disabled }: DefaultFieldsProps) {
  const { data: categories } = useCategories()
  const { data: manufacturers } = useManufacturers()
  const categoryNames = useMemo(
    () =>
      groupedCategories(categories ?? []).map(({ group, items }) => ({
        group,
        items: [...new Set(items.map(({ label }) => label))],
      })),
    [categories],
  )
  const makes = useMemo(() => [...new Set(manufacturers?.map(({ manuname }) => manuname))], [manufacturers])
  const field = (name: ImportField) => ({
    id: `default-${name}`,
    label: importFieldLabels[name],
    value: defaults[name] ?? '',
    disabled,
    onChange: (text: string) => onChange({ ...defaults, [name]: text }),
  })
  const searched = { filter: filterByWords, maxDropdownHeight: 320, placeholder: 'Type to search' }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      <Autocomplete {...field('partcategory')} data={categoryNames} {...searched} />
      <Autocomplete {...field('partmanu')} data={makes} {...searched} />
      <Select
        label={importFieldLabels.partgrade}
        data={grades.map((grade) => ({ value: grade, label: `${grade} ${gradeWords[grade]}` }))}
        value={defaults.partgrade || null}
        onChange={(grade) => onChange({ ...defaults, partgrade: grade ?? '' })}
        clearable
        clearButtonProps={{ 'aria-label': 'No grade' }}
        placeholder="None"
        disabled={disabled}
      />
      {texts.map(({ field: name, ...input }) => {
        const { onChange, ...rest } = field(name)
        return (
          <TextInput
            key={name}
            autoComplete="off"
            {...rest}
            {...input}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )
      })}
    </SimpleGrid>
  )
}
