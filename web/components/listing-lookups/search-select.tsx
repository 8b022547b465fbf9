import { type ComboboxData, getParsedComboboxData, Select, type SelectProps } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useMemo } from 'react'
import { filterByWords, onlyMatch } from './lookup-options.ts'

type Props = Omit<SelectProps, 'data' | 'onChange' | 'filter' | 'searchable'> & {
  data: ComboboxData
  onChange: NonNullable<SelectProps['onChange']>
}

/** A list to choose from by typing. Enter takes the first match, and leaving the field the only one. */
export function SearchSelect({ data, onChange, onBlur, onKeyDown, ...props }: Props) {
  const options = useMemo(() => getParsedComboboxData<string>(data), [data])
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    const match = onlyMatch(options, event.currentTarget.value)
    // What is chosen from the list needs no check, and the one on leaving would still see the field as it was before.
    if (match && match.value !== props.value) onChange(match.value, match)
    else onBlur?.(event)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter chooses; a form half filled in would be sent by it.
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
