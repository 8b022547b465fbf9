import { Badge, Button, Card, Grid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useProfile } from '#web/api/use-profile.ts'
import {
  connectColor,
  planName,
  statusWords,
  subscriptionWords,
} from '#web/components/account/account-words.ts'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { DashboardMenu } from './dashboard-menu.tsx'
import { Facts } from './facts.tsx'
import { NewestListings } from './newest-listings.tsx'

export function Component() {
  const user = useProfile()
  if (!user) return null
  return (
    <Page
      title="My Dashboard"
      heading={`Welcome, ${user.name}`}
      lead="Your parts, your plan and the way to everything else."
      actions={
        <Button component={Link} to={paths.createListing}>
          Create a listing
        </Button>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <NewestListings />
            <Snapshot user={user} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DashboardMenu user={user} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Snapshot({ user }: { user: User }) {
  const connect = <Badge color={connectColor(user.connectStatus)}>{statusWords(user.connectStatus)}</Badge>
  return (
    <Card>
      <Title order={2} size="h3" mb="xs">
        Account snapshot
      </Title>
      <Facts
        facts={[
          { name: 'Plan', value: planName(user) },
          { name: 'Subscription status', value: subscriptionWords(user) },
          { name: 'Connect status', value: connect },
        ]}
      />
      {user.connectStatus !== 'VERIFIED' && (
        <Text size="sm" className="second" mt="sm">
          Payout onboarding opens with our next release. Until then buyers reach you and pay you directly.
        </Text>
      )}
    </Card>
  )
}
