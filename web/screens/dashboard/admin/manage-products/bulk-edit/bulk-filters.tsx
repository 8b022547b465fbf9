import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { AdminFilters } from '#web/components/admin/all-listings.ts'
import type { FilterValues } from '#web/components/listing-filters/filter-state.ts'
import { LookupFilters } from '#web/components/listing-filters/lookup-filters.tsx'
import classes from './bulk-edit.module.css'

type BulkFiltersProps = {
  applied: FilterValues<AdminFilters>
  loading: boolean
  onApply: (filters: FilterValues<AdminFilters>) => void
  onReload: () => void
}

const statuses = [
  { value: '', label: 'All Status' },
  { value: 'ACTIVE', label: 'ACTIVE' },
  { value: 'HIDDEN', label: 'HIDDEN' },
]

/** Which rows to load. Nothing is asked until Apply. */
export function BulkFilters({ applied, loading, onApply, onReload }: BulkFiltersProps) {
  const [filters, setFilters] = useState(applied)
  const [seen, setSeen] = useState(applied)
  // Back and Forward bring other filters.
  if (JSON.stringify(applied) !== JSON.stringify(seen)) {
    setSeen(applied)
    setFilters(applied)
  }
  const change = (part: Partial<FilterValues<AdminFilters>>) => setFilters({ ...filters, ...part })
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply({ ...filters, q: filters.q.trim(), model: filters.model.trim() })
  }
  return (
    <form onSubmit={apply} className={classes.filters} aria-label="Filters">
      <TextInput
        label="Search"
        type="search"
        placeholder="Words or part number"
        disabled={loading}
        value={filters.q}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      <NativeSelect
        label="Status"
        data={statuses}
        disabled={loading}
        value={filters.status}
        onChange={(event) => change({ status: event.currentTarget.value })}
      />
      <LookupFilters
        disabled={loading}
        filters={filters}
        onCategory={(categoryId) => change({ categoryId })}
        onManufacturer={(manuId) => change({ manuId })}
      />
      <TextInput
        label="Model"
        placeholder="All models"
        disabled={loading}
        value={filters.model}
        onChange={(event) => change({ model: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" disabled={loading}>
        Apply Filters
      </Button>
      <Button variant="default" disabled={loading} onClick={onReload}>
        Reload First Page
      </Button>
    </form>
  )
}
