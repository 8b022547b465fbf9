import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { type LandingKind, type LandingPage, landingEndpoints } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-paths.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { Component as NotFound } from '#web/screens/not-found/not-found-screen.tsx'
import { LandingContent } from './landing-content.tsx'

/** The page of a category, a manufacturer or a model at the address's slug; a former address gives way to that of now. */
export function LandingScreen({ kind }: { kind: LandingKind }): ReactNode {
  const { slug = '' } = useParams()
  const page = useQuery<LandingPage>({
    queryKey: ['landing', kind, slug],
    queryFn: ({ signal }) => call(landingEndpoints.readLandingPage, { params: { kind, slug }, signal }),
  })
  const { search } = useLocation()
  if (page.data && page.data.slug !== slug) {
    return <Navigate to={landingPath(kind, page.data.slug) + search} replace />
  }
  if (page.data) return <LandingContent key={`${kind}/${slug}`} page={page.data} />
  if (page.error instanceof ApiError && page.error.status === 404) return <NotFound />
  return (
    <Page title="Auto parts">
      {page.isError ? (
        <LoadError
          message="Unable to load this page"
          onRetry={() => void page.refetch()}
          retrying={page.isFetching}
        />
      ) : (
        <Stack role="status" aria-label="Loading…">
          <Skeleton height={90} maw="46rem" />
          <Skeleton height={300} />
        </Stack>
      )}
    </Page>
  )
}
