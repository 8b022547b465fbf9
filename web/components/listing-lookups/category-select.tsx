import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { filterByWords, groupedCategories, type Option, withChosen } from './lookup-options.ts'
import { useCategories } from './lookup-queries.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  onChange: (id: string) => void
  /** The chosen category as the listing names it, in case the list does not. */
  chosen?: Option | undefined
}

/** Part categories under their groups, found by typing any of their words. */
export function CategorySelect({ value, onChange, chosen, ...props }: Props) {
  const { data: categories, isPending } = useCategories()
  const options = useMemo(() => {
    const groups = groupedCategories(categories ?? [])
    const known = groups.flatMap(({ items }) => items)
    return [...withChosen(known, chosen).filter((option) => !known.includes(option)), ...groups]
  }, [categories, chosen])
  return (
    <Select
      searchable
      data={options}
      filter={filterByWords}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage={isPending ? 'Loading…' : 'No such category'}
      maxDropdownHeight={320}
      allowDeselect={false}
      {...props}
    />
  )
}
