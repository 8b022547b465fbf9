import { useQuery } from '@tanstack/react-query'
import { siteEndpoints } from '#contract/site.ts'
import { call } from './client.ts'

const fiveMinutesMs = 5 * 60_000

/** This installation: its name, its figures, where "Find Auto Parts" leads. */
export function useSite() {
  return useQuery({
    queryKey: ['site'],
    queryFn: ({ signal }) => call(siteEndpoints.site, { signal }),
    staleTime: fiveMinutesMs,
  })
}

/** Stands in the page, so that the name is there before the first answer. */
const writtenName = () => document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content

export function useProductName(): string {
  return useSite().data?.productName ?? writtenName() ?? 'PartHarbor'
}
