import {
  Autocomplete,
  Group,
  Radio,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useMemo } from 'react'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import { firstYear, type Grade, grades, gradeWords } from '#contract/listing/listing-rules.ts'
import { filterByWords, withChosen } from '#web/components/listing-lookups/lookup-options.ts'
import { useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
import {
  CategorySelect,
  loadState,
  ManufacturerSelect,
  SearchSelect,
} from '#web/components/listing-lookups/lookup-selects.tsx'
import { useField, useFormContext } from './use-listing-form.ts'
import '@mantine/core/styles/Radio.layer.css'
import classes from './listing-form.module.css'

/** Below, so that the inputs of a row stand in one line. */
export const belowInput: NonNullable<TextInputProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
]

export function TextField({ field, ...props }: { field: ListingField } & TextInputProps) {
  const { input, set } = useField(field)
  return <TextInput {...input} onChange={(event) => set(event.currentTarget.value)} {...props} />
}

export function LongTextField({ field, ...props }: { field: ListingField } & TextareaProps) {
  const { input, set } = useField(field)
  return <Textarea autosize {...input} onChange={(event) => set(event.currentTarget.value)} {...props} />
}

export function ShippingField() {
  const { input, set } = useField('partshipping')
  return (
    <Autocomplete
      {...input}
      onChange={set}
      // The list would cover what is wrong with the field that a person is led to.
      openOnFocus={false}
      data={['Free', 'Flat $20', 'Pickup only']}
      // Three suggestions: all of them stay in sight whatever is typed.
      filter={({ options }) => options}
      placeholder="20"
      description="An amount, Free, Flat $20 or Pickup only"
      inputWrapperOrder={belowInput}
    />
  )
}

export function CategoryField() {
  const { form, categoryName } = useFormContext()
  const { input, set } = useField('partcategoryId')
  const start = form.getInitialValues().partcategoryId
  const chosen = useMemo(
    () => (categoryName === undefined ? undefined : { value: start, label: categoryName }),
    [categoryName, start],
  )
  return <CategorySelect {...input} onChange={set} chosen={chosen} placeholder="Type to search" />
}

export function ManufacturerField() {
  const { form, own } = useFormContext()
  const { input } = useField('partmanuId')
  const { partmanuId, partmanuname } = form.values
  const chosen = useMemo(() => ({ value: partmanuId, label: partmanuname }), [partmanuId, partmanuname])
  const choose = (id: string, name: string) => {
    if (id === partmanuId) return
    form.clearFieldError('partmanuId')
    // A model belongs to its manufacturer, so another one starts without.
    form.setValues({ partmanuId: id, partmanuname: name, partmodel: '', partmodelId: '' })
  }
  return (
    <ManufacturerSelect
      {...input}
      onChange={choose}
      chosen={chosen}
      placeholder="Type to search"
      // Another manufacturer takes the model away, and with it what the seller wrote.
      {...(!own && { description: "Don't Re-Edit", inputWrapperOrder: belowInput })}
    />
  )
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Suggests the manufacturer's models; one that is not among them can be typed. */
export function ModelField() {
  const { form } = useFormContext()
  const { input } = useField('partmodel')
  const { data: models = [] } = useCarModels(form.values.partmanuId)
  const names = useMemo(() => [...new Set(models.map(({ carname }) => carname))], [models])
  const choose = (name: string) => {
    const known = models.find(({ carname }) => sameName(carname, name))
    form.clearFieldError('partmodel')
    form.setValues({ partmodel: name, partmodelId: known?.id ?? '' })
  }
  return (
    <Autocomplete
      {...input}
      onChange={choose}
      data={names}
      filter={filterByWords}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
      maxDropdownHeight={320}
      {...waitForManufacturer(form.values.partmanuId)}
    />
  )
}

/** The quick listing asks for a model of the list, by its id. */
export function ListedModelField() {
  const { form } = useFormContext()
  const { input } = useField('partmodel')
  const { partmanuId, partmodel, partmodelId } = form.values
  const lookup = useCarModels(partmanuId)
  const { data: models } = lookup
  const options = useMemo(() => {
    const known = (models ?? []).map(({ id, carname }) => ({ value: id, label: carname }))
    return withChosen(known, { value: partmodelId, label: partmodel })
  }, [models, partmodel, partmodelId])
  return (
    <SearchSelect
      {...input}
      data={options}
      value={partmodelId || null}
      onChange={(id, option) => {
        form.clearFieldError('partmodel')
        form.setValues({ partmodelId: id ?? '', partmodel: option?.label ?? '' })
      }}
      {...loadState(lookup, 'No such model')}
      allowDeselect={false}
      {...waitForManufacturer(partmanuId)}
    />
  )
}

const waitForManufacturer = (manuId: string) =>
  manuId === ''
    ? { disabled: true, placeholder: 'Choose a manufacturer first' }
    : { placeholder: 'Type to search' }

function yearsFrom(first: number): string[] {
  const current = new Date().getFullYear()
  return Array.from({ length: current - first + 1 }, (_, back) => String(current - back))
}

/** Years to choose from where few are possible, else a number to type. */
export function YearField() {
  const { kind } = useFormContext()
  const { input, set } = useField('partyear')
  if (kind === 'quick') {
    return <TextField field="partyear" inputMode="numeric" maxLength={9} placeholder="2014" />
  }
  const years = yearsFrom(firstYear[kind])
  const options = input.value === '' || years.includes(input.value) ? years : [input.value, ...years]
  return (
    <SearchSelect
      {...input}
      data={options}
      value={input.value || null}
      onChange={(year) => set(year ?? '')}
      nothingFoundMessage={`A year from ${firstYear[kind]} on`}
      allowDeselect={false}
      placeholder="Choose"
    />
  )
}

/** The spec's words of the admin's form; sellers read others. */
const adminWords: Record<Grade, string> = { A: 'excellent', B: 'mint', C: 'fair', D: 'bad condition' }

export function GradeField() {
  const { input, set } = useField('partgrade')
  const { disabled, ...group } = input
  const words = useFormContext().own ? gradeWords : adminWords
  return (
    <Radio.Group
      {...group}
      onChange={set}
      description={grades.map((grade) => `${grade} ${words[grade]}`).join(', ')}
      data-error={group.error !== undefined || undefined}
    >
      <Group gap="xs" mt={6} wrap="nowrap" maw="28rem">
        {grades.map((grade) => (
          <Radio
            key={grade}
            value={grade}
            label={grade}
            aria-label={`${grade} ${words[grade]}`}
            disabled={disabled}
            className={classes.grade}
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
