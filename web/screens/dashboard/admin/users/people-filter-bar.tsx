import { NativeSelect, SimpleGrid } from '@mantine/core'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import type { PeopleFilters } from './people.ts'

const choices = [
  {
    name: 'role',
    label: 'Role',
    data: [
      { value: '', label: 'All roles' },
      { value: 'admin', label: 'Admins' },
      { value: 'seller', label: 'Sellers' },
    ],
  },
  {
    name: 'tier',
    label: 'Plan',
    data: [
      { value: '', label: 'All plans' },
      { value: 'FREE', label: 'Free' },
      { value: 'PAID', label: 'Pro' },
    ],
  },
  {
    name: 'state',
    label: 'Access',
    data: [
      { value: '', label: 'All' },
      { value: 'active', label: 'Active' },
      { value: 'disabled', label: 'Disabled' },
    ],
  },
] as const

export function PeopleFilterBar({ list: { filters, change } }: { list: ListControls<PeopleFilters> }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="lg">
      <SearchInput
        label="Search"
        placeholder="name, e-mail or seller"
        value={filters.q}
        onSearch={(q) => change({ q }, { typing: true })}
      />
      {choices.map(({ name, label, data }) => (
        <NativeSelect
          key={name}
          label={label}
          data={[...data]}
          value={filters[name]}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  )
}
