import { Autocomplete, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { type ImportDefaults, type ImportField, importFieldLabels } from '#contract/import-fields.ts'
import { grades, gradeWords } from '#contract/listing-rules.ts'
import { filterByWords, groupedCategories } from '#web/components/listing-lookups/lookup-options.ts'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'

type DefaultFieldsProps = {
  defaults: ImportDefaults
  onChange: (defaults: ImportDefaults) => void
  disabled: boolean
}

type TextField = { field: ImportField; placeholder?: string; autoComplete?: string }

/** What is the same for a whole yard, or at least for a whole file. */
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

export function DefaultFields({ defaults, onChange, disabled }: DefaultFieldsProps) {
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
