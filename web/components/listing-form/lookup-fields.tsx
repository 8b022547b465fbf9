import { Autocomplete } from '@mantine/core'
import { useMemo } from 'react'
import { firstYear } from '#contract/listing-rules.ts'
import { CategorySelect } from '#web/components/listing-lookups/category-select.tsx'
import { loadState } from '#web/components/listing-lookups/load-state.tsx'
import { filterByWords, withChosen } from '#web/components/listing-lookups/lookup-options.ts'
import { useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
import { ManufacturerSelect } from '#web/components/listing-lookups/manufacturer-select.tsx'
import { SearchSelect } from '#web/components/listing-lookups/search-select.tsx'
import { useField, useFormContext } from './form-context.ts'
import { belowInput, TextField } from './text-field.tsx'

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
