import {
  Autocomplete,
  Group,
  Radio,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { type ChangeEvent, memo, useCallback, useMemo } from 'react'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import { firstYear, type Grade, grades } from '#contract/listing/listing-rules.ts'
import { findInDescription, findingNotes } from '#contract/text/description.ts'
import { filterByWords, withChosen } from '#web/components/listing-lookups/lookup-options.ts'
import { modelsOfYear, useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
import {
  CategorySelect,
  loadState,
  ManufacturerSelect,
  SearchSelect,
} from '#web/components/listing-lookups/lookup-selects.tsx'
import { gradeWords } from '#web/site/card/listing-words.ts'
import classes from './listing-form.module.css'
import { useField, useFormContext, useFormValues } from './use-listing-form.ts'

/** Puts descriptions below the input, so that the inputs of a row line up. */
export const belowInput: NonNullable<TextInputProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
]

// The form renders with each letter, and forty inputs of Mantine take a phone longer than a fast typist needs for one.
const ShortText = memo(TextInput)
const LongText = memo(Textarea)

export function TextField({ field, ...props }: { field: ListingField } & TextInputProps) {
  return <ShortText {...useTextInput(field)} {...props} />
}

export function LongTextField({ field, ...props }: { field: ListingField } & TextareaProps) {
  return <LongText autosize {...useTextInput(field)} {...props} />
}

function useTextInput(field: ListingField) {
  const { input, set } = useField(field)
  const onChange = useCallback(
    (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(event.currentTarget.value),
    [set],
  )
  return { ...input, onChange }
}

/** Warns what in a description is not stored as typed, and what everyone will see. */
export function DescriptionField() {
  const { input } = useField('partdescription')
  const notes = findInDescription(input.value).map((finding) => findingNotes[finding])
  const description = [
    'What you tested, what it fits, what is missing or worn',
    ...(notes.length > 0 ? [notes.join(' ')] : []),
  ].join('. ')
  return <LongTextField field="partdescription" minRows={4} maxRows={16} description={description} />
}

export function ShippingField() {
  const { input, set } = useField('partshipping')
  return (
    <Autocomplete
      {...input}
      onChange={set}
      // The list would cover the error message when a failed save focuses this field.
      openOnFocus={false}
      data={['Free', 'Flat $20', 'Pickup only']}
      // Always show all three suggestions.
      filter={({ options }) => options}
      placeholder="20"
      description="An amount, Free, Flat $20 or Pickup only"
      inputWrapperOrder={belowInput}
    />
  )
}

export function CategoryField() {
  const { categoryName } = useFormContext()
  const form = useFormValues()
  const { input, set } = useField('partcategoryId')
  const start = form.getInitialValues().partcategoryId
  const chosen = useMemo(
    () => (categoryName === undefined ? undefined : { value: start, label: categoryName }),
    [categoryName, start],
  )
  return <CategorySelect {...input} onChange={set} chosen={chosen} placeholder="Type to search" />
}

export function ManufacturerField() {
  const { own } = useFormContext()
  const form = useFormValues()
  const { input } = useField('partmanuId')
  const { partmanuId, partmanuname } = form.values
  const chosen = useMemo(() => ({ value: partmanuId, label: partmanuname }), [partmanuId, partmanuname])
  const choose = (id: string, name: string) => {
    if (id === partmanuId) return
    form.clearFieldError('partmanuId')
    // Models belong to a manufacturer, so changing it clears the model.
    form.setValues({ partmanuId: id, partmanuname: name, partmodel: '', partmodelId: '' })
  }
  return (
    <ManufacturerSelect
      {...input}
      onChange={choose}
      chosen={chosen}
      placeholder="Type to search"
      // Changing the manufacturer clears the model the seller entered.
      {...(!own && { description: "Don't Re-Edit", inputWrapperOrder: belowInput })}
    />
  )
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Suggests the manufacturer's models; others can be typed. */
export function ModelField() {
  const form = useFormValues()
  const { input } = useField('partmodel')
  const { data: models = [] } = useCarModels(form.values.partmanuId)
  const { partyear } = form.values
  const names = useMemo(
    () => [...new Set(modelsOfYear(models, partyear).map(({ carname }) => carname))],
    [models, partyear],
  )
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

/** Quick listings require a model from the list. */
export function ListedModelField() {
  const form = useFormValues()
  const { input } = useField('partmodel')
  const { partmanuId, partmodel, partmodelId, partyear } = form.values
  const lookup = useCarModels(partmanuId)
  const { data: models } = lookup
  const options = useMemo(() => {
    const known = modelsOfYear(models ?? [], partyear).map(({ id, carname }) => ({
      value: id,
      label: carname,
    }))
    return withChosen(known, { value: partmodelId, label: partmodel })
  }, [models, partmodel, partmodelId, partyear])
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
    ? { disabled: true, placeholder: 'First the manufacturer' }
    : { placeholder: 'Type to search' }

function yearsFrom(first: number): string[] {
  const current = new Date().getFullYear()
  return Array.from({ length: current - first + 1 }, (_, back) => String(current - back))
}

/** A list of years, or a text field for quick listings, which go back to 1900. */
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
      nothingFoundMessage={`${firstYear[kind]} or newer`}
      allowDeselect={false}
      placeholder="Choose"
    />
  )
}

/** The spec's grade descriptions in the admin form, which differ from the sellers'. */
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
