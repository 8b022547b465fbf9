import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { actionWords } from './audit-words.ts'
import type { AuditControls } from './use-audit.ts'

type AuditFilterBarProps = { list: AuditControls; actions: readonly string[] }

export function AuditFilterBar({
  list: { filters, change, clear, isFiltered },
  actions,
}: AuditFilterBarProps) {
  // One that the address names is shown also before the list of them is there.
  const known =
    filters.action === '' || actions.includes(filters.action) ? actions : [filters.action, ...actions]
  return (
    <Stack gap="sm" mb="lg">
      <SimpleGrid cols={{ base: 2, lg: 5 }} spacing="sm">
        <NativeSelect
          label="Action"
          data={[
            { value: '', label: 'All actions' },
            ...known.map((action) => ({ value: action, label: actionWords(action) })),
          ]}
          value={filters.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
        />
        <SearchInput
          label="Who"
          placeholder="name or e-mail"
          value={filters.who}
          onSearch={(who) => change({ who }, { typing: true })}
        />
        <SearchInput
          label="Target"
          placeholder="id"
          value={filters.target}
          onSearch={(target) => change({ target }, { typing: true })}
        />
        <TextInput
          type="date"
          label="From"
          value={filters.from}
          max={filters.to || undefined}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To"
          value={filters.to}
          min={filters.from || undefined}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </SimpleGrid>
      {isFiltered && (
        <Button variant="subtle" onClick={clear} style={{ alignSelf: 'flex-start' }}>
          Clear filters
        </Button>
      )}
    </Stack>
  )
}
