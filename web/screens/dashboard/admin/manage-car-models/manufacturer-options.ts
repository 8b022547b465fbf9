import { useMemo } from 'react'
import { useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'

/** Manufacturers to choose from, after what says that none is. */
export function useManufacturerOptions(none: string): { value: string; label: string }[] {
  const { data } = useManufacturers()
  return useMemo(
    () => [
      { value: '', label: none },
      ...(data ?? []).map(({ id, manuname }) => ({ value: id, label: manuname })),
    ],
    [data, none],
  )
}
