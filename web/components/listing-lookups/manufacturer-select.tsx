import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { filterByWords, type Option, withChosen } from './lookup-options.ts'
import { useManufacturers } from './lookup-queries.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  /** The id together with the name; both empty where the choice is taken back. */
  onChange: (id: string, name: string) => void
  chosen?: Option | undefined
}

export function ManufacturerSelect({ value, onChange, chosen, ...props }: Props) {
  const { data: manufacturers, isPending } = useManufacturers()
  const options = useMemo(() => {
    const known = (manufacturers ?? []).map(({ id, manuname }) => ({ value: id, label: manuname }))
    return withChosen(known, chosen)
  }, [manufacturers, chosen])
  return (
    <Select
      searchable
      data={options}
      filter={filterByWords}
      value={value || null}
      onChange={(id, option) => onChange(id ?? '', option?.label ?? '')}
      nothingFoundMessage={isPending ? 'Loading…' : 'No such manufacturer'}
      maxDropdownHeight={320}
      allowDeselect={false}
      {...props}
    />
  )
}
