import { Button, Card, Grid, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import type { User } from '#contract/account/accounts.ts'
import { Menu } from '#web/components/account/menu.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { useSales } from '#web/components/orders/sales-figures.ts'
import { QueryError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { ConnectBadge, PlanNotice, SubscriptionBadge } from '#web/components/payments/payment-buttons.tsx'
import { paths } from '#web/paths.ts'
import { count, percent, useSellerFigures } from './analytics/figures.ts'
import { PayoutStatusCard, PayoutsStep, PersonCard, SellerMenuCard, SellingStep } from './dashboard-cards.tsx'
import classes from './pro-command-center.module.css'

export function ProCommandCenter({ user }: { user: User }) {
  return (
    <Page
      title="Pro command center"
      aside={
        <>
          <SubscriptionBadge user={user} about="Subscription" />
          <ConnectBadge user={user} about="Payouts" />
        </>
      }
      actions={
        <>
          <ButtonLink to={paths.createBulkListing} variant="default">
            Import a file
          </ButtonLink>
          <ButtonLink to={paths.createListing}>Create a listing</ButtonLink>
        </>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <PlanNotice user={user} />
            {user.connectStatus !== 'VERIFIED' && <PayoutsStep user={user} />}
            <SellingStep user={user} />
            <Figures />
            <Sales />
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <CampaignCard />
              <PayoutStatusCard user={user} />
            </SimpleGrid>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <PersonCard user={user} />
            <QuickActions />
            <SellerMenuCard user={user} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function CampaignCard() {
  return (
    <SectionCard title="Promo placements">
      <Text className="second" flex={1}>
        Show selected parts first to everyone who searches their category.
      </Text>
      <Button disabled className={classes.wrapping}>
        Configure campaign (Coming soon)
      </Button>
    </SectionCard>
  )
}

function Figures() {
  const figures = useSellerFigures()
  const { data } = figures
  if (figures.isError && !data) {
    return <QueryError message="Your numbers could not be loaded." query={figures} />
  }
  return (
    <section aria-label="Figures" aria-busy={figures.isPending}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Figure name="Active Listings" value={data && count(data.activeListings)} note="on sale now" />
        <Figure name="Leads This Month" value={data && count(data.leads)} note="in the last 30 days" />
        <Figure
          name="Conversion Rate"
          value={data && percent(data.conversionPercent)}
          note="leads out of views"
        />
      </SimpleGrid>
    </section>
  )
}

/** Only of a yard that sells online: for all others there is nothing to count. */
function Sales() {
  const sales = useSales(30)
  if (!sales) return null
  const { orders, gross } = sales.totals
  return (
    <section aria-label="Sales">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <Figure name="Orders Sold" value={count(orders)} note="in the last 30 days" />
        <Figure name="Gross Sales" value={dollars(gross)} note="paid by buyers in the last 30 days" />
      </SimpleGrid>
    </section>
  )
}

type FigureProps = { name: string; value: string | undefined; note: string }

function Figure({ name, value, note }: FigureProps) {
  return (
    <Card className={classes.figure}>
      <h2 className={classes.name}>{name}</h2>
      <div className={`display ${classes.value}`}>
        {value === undefined ? <Skeleton height="2.25rem" width="4.5rem" /> : value}
      </div>
      <Text size="sm" className={`second ${classes.note}`}>
        {note}
      </Text>
    </Card>
  )
}

function QuickActions() {
  return (
    <Menu
      title="Quick actions"
      items={[
        { label: 'Create an e-commerce listing', to: paths.createAutoPartListing },
        { label: 'Create a quick listing', to: paths.createDataTableListing },
        { label: 'Import your inventory', to: paths.createBulkListing },
        { label: 'Manage listings', to: paths.myListings },
        { label: 'Reply to buyers', to: paths.leads },
        { label: 'See views and leads', to: paths.analytics },
      ]}
    />
  )
}
