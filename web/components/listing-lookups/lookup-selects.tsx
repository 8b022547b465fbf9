import { Anchor, type ComboboxData, getParsedComboboxData, Select, type SelectProps } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type FocusEvent, type KeyboardEvent, useMemo } from 'react'
import { filterByWords, groupedCategories, type Option, onlyMatch, withChosen } from './lookup-options.ts'
import { useCategories, useManufacturers } from './lookup-queries.ts'

type Props = Omit<SelectProps, 'data' | 'onChange' | 'filter' | 'searchable'> & {
  data: ComboboxData
  onChange: NonNullable<SelectProps['onChange']>
}

/** A searchable select. Enter picks the first match; leaving the field picks the only one. */
export function SearchSelect({ data, onChange, onBlur, onKeyDown, ...props }: Props) {
  const options = useMemo(() => getParsedComboboxData<string>(data), [data])
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    const match = onlyMatch(options, event.currentTarget.value)
    // A chosen option is valid, and onBlur would still check the old value.
    if (match && match.value !== props.value) onChange(match.value, match)
    else onBlur?.(event)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter picks an option; it must not submit a half-filled form.
    if (event.key === 'Enter') event.preventDefault()
    onKeyDown?.(event)
  }
  return (
    <Select
      searchable
      data={options}
      filter={filterByWords}
      onChange={onChange}
      onBlur={leave}
      onKeyDown={press}
      selectFirstOptionOnChange
      maxDropdownHeight={320}
      {...props}
    />
  )
}

type LookupSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  /** Both are empty when the choice is cleared. */
  onChange: (id: string, name: string) => void
  /** The listing's own choice, in case the list lacks it. */
  chosen?: Option | undefined
}

export function CategorySelect({ value, onChange, chosen, ...props }: LookupSelectProps) {
  const lookup = useCategories()
  const { data: categories } = lookup
  const options = useMemo(() => {
    const groups = groupedCategories(categories ?? [])
    const known = groups.flatMap(({ items }) => items)
    return [...withChosen(known, chosen).filter((option) => !known.includes(option)), ...groups]
  }, [categories, chosen])
  return (
    <SearchSelect
      data={options}
      value={value || null}
      onChange={(id, option) => onChange(id ?? '', option?.label ?? '')}
      {...loadState(lookup, 'No such category')}
      allowDeselect={false}
      {...props}
    />
  )
}

export function ManufacturerSelect({ value, onChange, chosen, ...props }: LookupSelectProps) {
  const lookup = useManufacturers()
  const { data: manufacturers } = lookup
  const options = useMemo(() => {
    const known = (manufacturers ?? []).map(({ id, manuname, aliases }) => ({
      value: id,
      label: manuname,
      aliases,
    }))
    return withChosen(known, chosen)
  }, [manufacturers, chosen])
  return (
    <SearchSelect
      data={options}
      value={value || null}
      onChange={(id, option) => onChange(id ?? '', option?.label ?? '')}
      {...loadState(lookup, 'No such manufacturer')}
      allowDeselect={false}
      {...props}
    />
  )
}

type LoadStateProps = Pick<SelectProps, 'nothingFoundMessage' | 'description' | 'inputWrapperOrder'>
type Loading = Pick<UseQueryResult, 'isPending' | 'isError' | 'isFetching' | 'refetch'>

/** A select's message while options load, if they failed to load (with Retry), or if none match. */
export function loadState(
  { isPending, isError, isFetching, refetch }: Loading,
  none: string,
): LoadStateProps {
  if (!isError) return { nothingFoundMessage: isPending ? 'Loading…' : none }
  return {
    nothingFoundMessage: 'Could not be loaded',
    description: (
      <>
        Could not be loaded.{' '}
        <Anchor component="button" type="button" inherit onClick={() => void refetch()} disabled={isFetching}>
          Retry
        </Anchor>
      </>
    ),
    inputWrapperOrder: ['label', 'input', 'description', 'error'],
  }
}
