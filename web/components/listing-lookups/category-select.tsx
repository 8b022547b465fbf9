import type { SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { loadState } from './load-state.tsx'
import { groupedCategories, type Option, withChosen } from './lookup-options.ts'
import { useCategories } from './lookup-queries.ts'
import { SearchSelect } from './search-select.tsx'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  onChange: (id: string) => void
  /** The chosen category as the listing names it, in case the list does not. */
  chosen?: Option | undefined
}

/** Part categories under their groups, found by typing any of their words. */
export function CategorySelect({ value, onChange, chosen, ...props }: Props) {
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
      onChange={(id) => onChange(id ?? '')}
      {...loadState(lookup, 'No such category')}
      allowDeselect={false}
      {...props}
    />
  )
}
