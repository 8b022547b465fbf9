import { Badge, Card, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { analyticsPeriods } from '#contract/analytics.ts'
import empty from '#web/artwork/empty.svg?url'
import { dollars } from '#web/components/orders/order-facts.ts'
import { useSales } from '#web/components/orders/sales-figures.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'
import classes from './analytics.module.css'
import { ByCategory, ByListing } from './breakdown.tsx'
import { DaysCard } from './days-card.tsx'
import {
  type Analytics,
  type Change,
  changeOf,
  count,
  isEmpty,
  percent,
  periodIn,
  pointsOf,
  useAnalytics,
  useSellerFigures,
} from './figures.ts'

export function Component() {
  const [params, setParams] = useSearchParams()
  const days = periodIn(params)
  const analytics = useAnalytics(days)
  const show = (period: string) => setParams({ days: period }, { preventScrollReset: true })
  return (
    <Page
      title="Analytics & Sales"
      lead="How often buyers view your parts and write to you. Each message is a lead."
      actions={
        <SegmentedControl
          aria-label="Period"
          data={analyticsPeriods.map((period) => ({ value: String(period), label: `${period} days` }))}
          value={String(days)}
          onChange={show}
        />
      }
    >
      <Sales days={days} />
      <Loaded query={analytics} failure="Unable to load your analytics" waiting={<FiguresSkeleton />}>
        {(data) => (
          <div aria-busy={analytics.isPlaceholderData} className={classes.figures}>
            <Figures analytics={data} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** What was sold here, above what buyers looked at. */
function Sales({ days }: { days: (typeof analyticsPeriods)[number] }) {
  const sales = useSales(days)
  if (!sales) return null
  const { totals, previous } = sales
  const period = `the previous ${days} days`
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" mb="lg">
      <Total
        name="Orders sold"
        value={count(totals.orders)}
        change={changeOf(totals.orders, previous.orders, days)}
        note={
          <TextLink to={paths.sellerOrders} size="sm">
            See orders
          </TextLink>
        }
      />
      <Total
        name="Gross sales"
        value={dollars(totals.gross)}
        change={undefined}
        note={`Paid by buyers, before refunds. ${dollars(previous.gross)} in ${period}.`}
      />
    </SimpleGrid>
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
  <Stack gap="lg" role="status" aria-label="Loading analytics…">
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} height={150} radius="lg" />
      ))}
    </SimpleGrid>
    <Skeleton height={520} radius="lg" />
  </Stack>
)

/** The period's totals, compared with the period before. */
function Totals({ analytics: { totals, previous, days } }: { analytics: Analytics }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <Total
        name="Views"
        value={count(totals.views)}
        change={changeOf(totals.views, previous.views, days)}
        note="Counted once per visit. Your own views aren’t counted."
      />
      <Total
        name="Leads"
        value={count(totals.leads)}
        change={changeOf(totals.leads, previous.leads, days)}
        note={
          <TextLink to={paths.leads} size="sm">
            See messages
          </TextLink>
        }
      />
      <Total
        name="Conversion"
        value={percent(totals.conversionPercent)}
        change={pointsOf(totals.conversionPercent, previous.conversionPercent, days)}
        note="Leads per 100 views."
      />
    </SimpleGrid>
  )
}

type TotalProps = { name: string; value: string; change: Change | undefined; note: ReactNode }

function Total({ name, value, change, note }: TotalProps) {
  return (
    <Card component="section" aria-label={name}>
      <Title size="h4">{name}</Title>
      <p className={`display ${classes.value}`}>{value}</p>
      {change && <ChangeLine change={change} />}
      <Text size="sm" className="second" mt="auto" pt="xs">
        {note}
      </Text>
    </Card>
  )
}

const colors = { up: 'good', down: 'bad', same: 'gray' }
const icons = { up: <IconArrowUpRight size={14} />, down: <IconArrowDownRight size={14} />, same: null }

function ChangeLine({ change: { trend, short, rest } }: { change: Change }) {
  return (
    <p className={classes.change}>
      <Badge component="span" color={colors[trend]} leftSection={icons[trend]}>
        {short}
      </Badge>{' '}
      {rest}
    </p>
  )
}

/** Tips for sellers without any views. */
function NothingYet({ days }: { days: number }) {
  const { data } = useSellerFigures()
  if (!data) return null
  return data.activeListings > 0 ? (
    <Empty
      drawing={empty}
      title={`No views in the last ${days} days`}
      text="Buyers search by part number and by car. Parts with both, a clear title and a picture get the most views."
      action={<ButtonLink to={paths.helpArticle('being-found')}>Help buyers find your parts</ButtonLink>}
    />
  ) : (
    <Empty
      drawing={empty}
      title="Nothing to count yet"
      text="List your first part to see its views and messages here."
      action={<ButtonLink to={paths.createListing}>Create a listing</ButtonLink>}
    />
  )
}
