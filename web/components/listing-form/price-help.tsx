import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type PriceRange, pricingEndpoints } from '#contract/listing/pricing.ts'
import { call } from '#web/api/client.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { useFormValues } from './use-listing-form.ts'

const dollars = (amount: number) => formatPrice(amount, 'USD').replace(/\.00$/, '')

/** "$85-$120" */
export const rangeInWords = ({ low, high }: PriceRange): string =>
  low === high ? dollars(low) : `${dollars(low)}–${dollars(high)}`

/** What similar parts cost here; nothing with fewer than five of them, or if it cannot be loaded. */
export function PriceHelp({ listingId }: { listingId?: string | undefined }) {
  const { partcategoryId, partmodelId, partyear, partgrade } = useFormValues().values
  const query = {
    categoryId: partcategoryId,
    modelId: partmodelId,
    year: partyear.trim(),
    grade: partgrade,
    ...(listingId && { except: listingId }),
  }
  const { data } = useQuery({
    queryKey: ['price-help', query],
    queryFn: ({ signal }) => call(pricingEndpoints.priceHelp, { query, signal }),
    enabled: partcategoryId !== '' && partmodelId !== '' && /^\d{4}(-\d{4})?$/.test(query.year),
    staleTime: 300_000,
    retry: false,
  })
  const range = data?.range
  if (!range) return null
  const sold = range.sold > 0 ? `, ${range.sold} of them sold in the last year` : ''
  return (
    <Text size="sm" className="second" role="status">
      Similar parts{range.grade ? ` of grade ${range.grade}` : ''}: {rangeInWords(range)}, median{' '}
      {dollars(range.median)} ({range.count} parts{sold}).
    </Text>
  )
}
