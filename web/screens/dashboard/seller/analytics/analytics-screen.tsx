import { SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { useSearchParams } from 'react-router'
import { analyticsPeriods } from '#contract/analytics.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import classes from './analytics.module.css'
import { ByCategory, ByListing } from './breakdown.tsx'
import { DaysCard } from './days-card.tsx'
import { type Analytics, isEmpty, periodIn } from './figures.ts'
import { NothingYet } from './nothing-yet.tsx'
import { Totals } from './totals.tsx'
import { useAnalytics } from './use-analytics.ts'

export function Component() {
  const [params, setParams] = useSearchParams()
  const days = periodIn(params)
  const analytics = useAnalytics(days)
  const show = (period: string) => setParams({ days: period }, { preventScrollReset: true })
  return (
    <Page
      title="Analytics & Sales"
      lead="How often your parts are looked at, and how often a buyer writes: each message is a lead."
      actions={
        <SegmentedControl
          aria-label="Period"
          data={analyticsPeriods.map((period) => ({ value: String(period), label: `${period} days` }))}
          value={String(days)}
          onChange={show}
        />
      }
    >
      {analytics.data && (
        <div aria-busy={analytics.isPlaceholderData} className={classes.figures}>
          <Figures analytics={analytics.data} />
        </div>
      )}
      {analytics.isPending && <FiguresSkeleton />}
      {analytics.isError && !analytics.data && (
        <LoadError
          message="Unable to load your figures"
          onRetry={() => void analytics.refetch()}
          retrying={analytics.isFetching}
        />
      )}
    </Page>
  )
}

function Figures({ analytics }: { analytics: Analytics }) {
  if (isEmpty(analytics)) return <NothingYet days={analytics.days} />
  return (
    <Stack gap="lg">
      <Totals analytics={analytics} />
      <DaysCard days={analytics.byDay} />
      <div className={classes.breakdowns}>
        <ByListing key={`parts ${analytics.days}`} listings={analytics.byListing} />
        <ByCategory key={`categories ${analytics.days}`} categories={analytics.byCategory} />
      </div>
    </Stack>
  )
}

const FiguresSkeleton = () => (
  <Stack gap="lg" role="status" aria-label="Loading figures…">
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} height={150} radius="lg" />
      ))}
    </SimpleGrid>
    <Skeleton height={520} radius="lg" />
  </Stack>
)
