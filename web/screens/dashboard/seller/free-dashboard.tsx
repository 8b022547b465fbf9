import { Button, Grid, SimpleGrid, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { Page } from '#web/components/page.tsx'
import { PlanNotice } from '#web/components/payments/plan-notice.tsx'
import { paths } from '#web/paths.ts'
import { CurrentPlanCard } from './current-plan-card.tsx'
import { PayoutStatusCard } from './payout-status-card.tsx'
import { PayoutsStep } from './payouts-step.tsx'
import { PersonCard } from './person-card.tsx'
import { FreeMenu } from './seller-menu.tsx'
import { UnlockProCard } from './unlock-pro-card.tsx'

export function FreeDashboard({ user }: { user: User }) {
  return (
    <Page
      title="Seller Dashboard"
      actions={
        <Button component={Link} to={paths.createListing}>
          Create a listing
        </Button>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <PlanNotice user={user} />
            <PayoutsStep user={user} />
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <CurrentPlanCard user={user} />
              <PayoutStatusCard user={user} />
            </SimpleGrid>
            <UnlockProCard />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <PersonCard user={user} />
            <FreeMenu user={user} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}
