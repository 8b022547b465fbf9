import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { analyticsEndpoints } from '#contract/analytics.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { LoadError } from '#web/components/load-error.tsx'
import classes from './figures.module.css'

/** The three figures of the command center. */
export function Figures() {
  const { user } = useSession()
  const figures = useQuery({
    queryKey: ['figures', user?.id],
    queryFn: ({ signal }) => call(analyticsEndpoints.sellerFigures, { signal }),
  })
  const { data } = figures
  if (figures.isError && !data) {
    return (
      <LoadError
        message="Your figures could not be loaded."
        onRetry={() => void figures.refetch()}
        retrying={figures.isFetching}
      />
    )
  }
  return (
    <section aria-label="Figures" aria-busy={figures.isPending}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Figure name="Active Listings" value={data?.activeListings} note="on sale now" />
        <Figure name="Leads This Month" value={data?.leads} note="in the last 30 days" />
        <Figure name="Conversion Rate" value={percent(data?.conversionPercent)} note="leads out of views" />
      </SimpleGrid>
    </section>
  )
}

const percent = (whole: number | null | undefined) => {
  if (whole === null) return '–'
  return whole === undefined ? undefined : `${whole}%`
}

type FigureProps = { name: string; value: number | string | undefined; note: string }

function Figure({ name, value, note }: FigureProps) {
  return (
    <Card className={classes.figure}>
      <h2 className={classes.name}>{name}</h2>
      <div className={`display ${classes.value}`}>
        {value === undefined ? <Skeleton height="2.25rem" width="4.5rem" /> : value.toLocaleString('en-US')}
      </div>
      <Text size="sm" className={`second ${classes.note}`}>
        {note}
      </Text>
    </Card>
  )
}
