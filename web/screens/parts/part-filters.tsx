import { NativeSelect, Select } from '@mantine/core'
import { LookupFilters } from '#web/components/listing-filters/lookup-filters.tsx'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import { filterByWords } from '#web/components/listing-lookups/lookup-options.ts'
import { useCarModels } from '#web/components/listing-lookups/lookup-queries.ts'
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
      <Select
        label="Year"
        placeholder="All years"
        clearable
        searchable
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
  const { data: models = [] } = useCarModels(manuId)
  return (
    <Select
      label="Model"
      placeholder={manuId === '' ? 'Choose a manufacturer' : 'All models'}
      disabled={manuId === ''}
      clearable
      searchable
      data={models.map(({ id, carname }) => ({ value: id, label: carname }))}
      filter={filterByWords}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage="No such model"
      maxDropdownHeight={320}
    />
  )
}
