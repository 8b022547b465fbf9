import { Autocomplete, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import type { User } from '#contract/accounts.ts'
import { type ImportDefaults, type ImportField, importFieldLabels } from '#contract/import-fields.ts'
import { grades, gradeWords } from '#contract/listing-rules.ts'
import { filterByWords, groupedCategories } from '#web/components/listing-lookups/lookup-options.ts'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import { StepCard } from './step-card.tsx'

type DefaultsStepProps = { defaults: ImportDefaults; onChange: (defaults: ImportDefaults) => void }

const texts: { field: ImportField; placeholder?: string; autoComplete: string }[] = [
  { field: 'partcity', autoComplete: 'address-level2' },
  { field: 'partstate', placeholder: 'OK', autoComplete: 'address-level1' },
  { field: 'dealername', autoComplete: 'organization' },
  { field: 'dealerphone', autoComplete: 'tel' },
  { field: 'partshipping', placeholder: 'Free, Flat $20, Pickup only', autoComplete: 'off' },
]

/** What the seller set for new listings goes for imported ones too. */
export function defaultsOf({ listingDefaults }: User): ImportDefaults {
  const { city, state, dealerName, dealerPhone, shipping, grade } = listingDefaults
  return withoutEmpty({
    partcity: city,
    partstate: state,
    dealername: dealerName,
    dealerphone: dealerPhone,
    partshipping: shipping,
    partgrade: grades.find((letter) => letter === grade?.trim().toUpperCase()),
  })
}

/** Defaults as they are sent: without fields that were left empty. */
export function withoutEmpty(defaults: { [F in ImportField]?: string | undefined }): ImportDefaults {
  const given = Object.entries(defaults).map(([field, text]) => [field, text?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

export function DefaultsStep({ defaults, onChange }: DefaultsStepProps) {
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
    label: importFieldLabels[name],
    value: defaults[name] ?? '',
    onChange: (text: string) => onChange({ ...defaults, [name]: text }),
  })
  return (
    <StepCard number={3} title="Values for empty cells">
      <Text className="second" mb="md">
        A row that has no value of its own takes these. What is the same in every row needs no column at all.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <Autocomplete
          {...field('partcategory')}
          data={categoryNames}
          filter={filterByWords}
          maxDropdownHeight={320}
          placeholder="Type to search"
        />
        <Autocomplete
          {...field('partmanu')}
          data={makes}
          filter={filterByWords}
          maxDropdownHeight={320}
          placeholder="Type to search"
        />
        {texts.map(({ field: name, ...input }) => {
          const { onChange, ...rest } = field(name)
          return (
            <TextInput
              key={name}
              {...rest}
              {...input}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
          )
        })}
        <Select
          label={importFieldLabels.partgrade}
          data={grades.map((grade) => ({ value: grade, label: `${grade} ${gradeWords[grade]}` }))}
          value={defaults.partgrade || null}
          onChange={(grade) => onChange({ ...defaults, partgrade: grade ?? '' })}
          clearable
          clearButtonProps={{ 'aria-label': 'No grade' }}
          placeholder="None"
        />
      </SimpleGrid>
    </StepCard>
  )
}
