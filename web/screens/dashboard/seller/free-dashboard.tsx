import { Card, Grid, List, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { User } from '#contract/accounts.ts'
import sheet from '#web/artwork/sheet.svg?raw'
import { planName } from '#web/components/account/account-words.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { Drawing } from '#web/components/page/empty-state.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { PlanNotice, ProviderActions, UpgradeButton } from '#web/components/payments/payment-buttons.tsx'
import { freePlan, proPlan } from '#web/components/plans/offers.ts'
import { onboardingFor, paths } from '#web/paths.ts'
import { FreeMenu, PayoutStatusCard, PayoutsStep, PersonCard } from './dashboard-cards.tsx'
import classes from './free-dashboard.module.css'

export function FreeDashboard({ user }: { user: User }) {
  return (
    <Page
      title="Seller Dashboard"
      actions={<ButtonLink to={paths.createListing}>Create a listing</ButtonLink>}
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

function CurrentPlanCard({ user }: { user: User }) {
  return (
    <SectionCard title="Current plan">
      <Text>
        <strong>{planName(user)}</strong>: {freePlan.name}, ${freePlan.priceDollars} per month
      </Text>
      <Text className="second">{freePlan.features.join(' · ')}</Text>
    </SectionCard>
  )
}

function UnlockProCard() {
  return (
    <Card padding={0} className={classes.card}>
      <Stack gap="md" p="lg">
        <div>
          <Title size="h3">Unlock Pro Seller tools</Title>
          <Text className="second">
            ${proPlan.priceDollars} per month. {proPlan.for}
          </Text>
        </div>
        <List spacing={6} icon={<IconCheck size={18} stroke={2} className={classes.check} aria-hidden />}>
          {proPlan.features.slice(1).map((feature) => (
            <List.Item key={feature}>{feature}</List.Item>
          ))}
        </List>
        <ProviderActions>
          <UpgradeButton />
          <ButtonLink to={onboardingFor('pro')} variant="subtle" color="gray">
            Compare the plans
          </ButtonLink>
        </ProviderActions>
      </Stack>
      <Drawing svg={sheet} className={classes.drawing} />
    </Card>
  )
}
