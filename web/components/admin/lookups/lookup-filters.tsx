import { Group, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import type { ReactNode } from 'react'
import type { LookupKind } from '#contract/lookups.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { type LookupControls, lookupViews } from './lookup-state.ts'
import { kindWords } from './lookup-words.ts'

/** Spec, section 9. */
const searchWaitMs = 300

type LookupFiltersProps = { kind: LookupKind; list: LookupControls; narrowing: ReactNode }

export function LookupFilters({ kind, list: { filters, change }, narrowing }: LookupFiltersProps) {
  return (
    <Group gap="sm" align="flex-end">
      <SearchInput
        label="Search"
        placeholder={kindWords[kind].search}
        flex="1 1 14rem"
        value={filters.q}
        waitMs={searchWaitMs}
        onSearch={(q) => change({ q }, { typing: true })}
      />
      {narrowing}
      <SegmentedControl
        aria-label="Show"
        data={lookupViews}
        value={lookupViews.some(({ value }) => value === filters.state) ? filters.state : 'all'}
        onChange={(state) => change({ state })}
      />
    </Group>
  )
}
