import { useQuery } from '@tanstack/react-query'
import { siteEndpoints } from '#contract/site.ts'
import { call } from './client.ts'

const fiveMinutesMs = 5 * 60_000

/** This installation: its name, its counts, and where "Find Auto Parts" leads. */
export function useSite() {
  return useQuery({
    queryKey: ['site'],
    queryFn: ({ signal }) => call(siteEndpoints.site, { signal }),
    staleTime: fiveMinutesMs,
  })
}

/** The name in the HTML, available before the first response. */
const nameInPage = () => document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content

export function useProductName(): string {
  return useSite().data?.productName ?? nameInPage() ?? 'PartHarbor'
}
