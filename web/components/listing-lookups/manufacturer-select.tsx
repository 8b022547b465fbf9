import type { SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { loadState } from './load-state.tsx'
import { type Option, withChosen } from './lookup-options.ts'
import { useManufacturers } from './lookup-queries.ts'
import { SearchSelect } from './search-select.tsx'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  /** The id together with the name; both empty where the choice is taken back. */
  onChange: (id: string, name: string) => void
  chosen?: Option | undefined
}

export function ManufacturerSelect({ value, onChange, chosen, ...props }: Props) {
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
