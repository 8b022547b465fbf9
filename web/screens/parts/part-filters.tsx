import { NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import { LookupFilters } from '#web/components/listing-filters/lookup-filters.tsx'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import { useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
import { SearchSelect } from '#web/components/listing-lookups/search-select.tsx'
import { type PublicFilters, sortOrders } from './public-listings.ts'

/** Older cars are found by their words; a longer list would only be scrolled past. */
const oldestYear = 1950

const years = Array.from({ length: new Date().getFullYear() - oldestYear + 1 }, (_, back) =>
  String(new Date().getFullYear() - back),
)

/** The filters of the public list, in a row or one below the other. */
export function PartFilters({ list }: { list: ListControls<PublicFilters> }) {
  const { filters, change } = list
  return (
    <>
      <LookupFilters
        filters={filters}
        onCategory={(categoryId) => change({ categoryId })}
        onManufacturer={(manuId) => change({ manuId, modelId: '' })}
      />
      <ModelSelect
        manuId={filters.manuId}
        value={filters.modelId}
        onChange={(modelId) => change({ modelId })}
      />
      <SearchSelect
        label="Year"
        placeholder="All years"
        clearable
        data={years}
        value={filters.year || null}
        onChange={(year) => change({ year: year ?? '' })}
        nothingFoundMessage="No such year"
      />
      <NativeSelect
        label="Sort"
        data={[...sortOrders]}
        value={filters.sort}
        onChange={(event) => change({ sort: event.currentTarget.value })}
      />
    </>
  )
}

type ModelSelectProps = { manuId: string; value: string; onChange: (id: string) => void }

function ModelSelect({ manuId, value, onChange }: ModelSelectProps) {
  const { data: models } = useCarModels(manuId)
  const options = useMemo(
    () => (models ?? []).map(({ id, carname }) => ({ value: id, label: carname })),
    [models],
  )
  return (
    <SearchSelect
      label="Model"
      placeholder={manuId === '' ? 'Choose a manufacturer' : 'All models'}
      disabled={manuId === ''}
      clearable
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage="No such model"
    />
  )
}
