import { Button, Card, Grid, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { Page } from '#web/components/page.tsx'
import { ConnectBadge } from '#web/components/payments/connect-badge.tsx'
import { PlanNotice } from '#web/components/payments/plan-notice.tsx'
import { SubscriptionBadge } from '#web/components/payments/subscription-badge.tsx'
import { paths } from '#web/paths.ts'
import { Figures } from './figures.tsx'
import { PayoutStatusCard } from './payout-status-card.tsx'
import { PayoutsStep } from './payouts-step.tsx'
import { PersonCard } from './person-card.tsx'
import { QuickActions } from './quick-actions.tsx'
import { ProMenu } from './seller-menu.tsx'

export function ProCommandCenter({ user }: { user: User }) {
  return (
    <Page
      title="Pro command center"
      aside={<Badges user={user} />}
      actions={
        <>
          <Button component={Link} to={paths.createBulkListing} variant="default">
            Import a file
          </Button>
          <Button component={Link} to={paths.createListing}>
            Create a listing
          </Button>
        </>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <PlanNotice user={user} />
            {user.connectStatus !== 'VERIFIED' && <PayoutsStep user={user} />}
            <Figures />
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <CampaignCard />
              <PayoutStatusCard user={user} />
            </SimpleGrid>
            <QuickActions />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <PersonCard user={user} />
            <ProMenu user={user} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Badges({ user }: { user: User }) {
  return (
    <Group gap="xs" style={{ alignSelf: 'center' }}>
      <SubscriptionBadge user={user} about="Subscription" />
      <ConnectBadge user={user} about="Payouts" />
    </Group>
  )
}

function CampaignCard() {
  return (
    <Card>
      <Stack gap="sm" h="100%" align="flex-start">
        <Title order={2} size="h3">
          Promo placements
        </Title>
        <Text className="second" flex={1}>
          Put chosen parts in front of everybody who searches their category.
        </Text>
        <Button disabled>Configure campaign (Coming soon)</Button>
      </Stack>
    </Card>
  )
}
