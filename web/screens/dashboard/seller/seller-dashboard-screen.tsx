import { Avatar, Badge, Button, Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useProfile } from '#web/api/use-profile.ts'
import { firstLetter, planName, subscriptionWords, timeAgo } from '#web/components/account/account-words.ts'
import { Menu } from '#web/components/account/menu.tsx'
import { Page } from '#web/components/page.tsx'
import { freePlan, proOpensLater, proPlan } from '#web/components/plans/offers.ts'
import { onboardingFor, paths } from '#web/paths.ts'
import { sellerLinks } from './seller-links.ts'

export function Component() {
  const user = useProfile()
  if (!user) return null
  const isPro = user.sellerTier === 'PAID'
  return (
    <Page
      title={isPro ? 'Pro command center' : 'Seller Dashboard'}
      actions={
        <>
          {isPro && (
            <Button component={Link} to={paths.createBulkListing} variant="default">
              Import a file
            </Button>
          )}
          <Button component={Link} to={paths.createListing}>
            Create a listing
          </Button>
        </>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <PersonCard user={user} />
            <PlanCard user={user} />
            {!isPro && <UpgradeCard />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Menu title="Seller menu" links={sellerLinks(user)} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function PersonCard({ user }: { user: User }) {
  return (
    <Card>
      <Group gap="md" wrap="nowrap">
        <Avatar color="sea" size="lg" radius="xl" aria-hidden>
          {firstLetter(user.name)}
        </Avatar>
        <div>
          <Title order={2} size="h3">
            {user.name}
          </Title>
          <Text className="second">Joined {timeAgo(user.createdAt, new Date())}</Text>
        </div>
      </Group>
    </Card>
  )
}

function PlanCard({ user }: { user: User }) {
  const { name, priceDollars, features } = user.sellerTier === 'PAID' ? proPlan : freePlan
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          Current plan
        </Title>
        {user.sellerTier === 'PAID' && <Badge>{subscriptionWords(user)}</Badge>}
      </Group>
      <Text fw={600}>
        {planName(user)} · {name}, ${priceDollars} per month
      </Text>
      <Text className="second">{features.join(' · ')}</Text>
    </Card>
  )
}

function UpgradeCard() {
  return (
    <Card>
      <Stack align="flex-start" gap="sm">
        <Title order={2} size="h3">
          Unlock Pro Seller tools
        </Title>
        <Text className="second">
          {proPlan.features.slice(1).join(', ')}. {proOpensLater}
        </Text>
        <Button component={Link} to={onboardingFor('pro')} variant="default">
          Compare the plans
        </Button>
      </Stack>
    </Card>
  )
}
