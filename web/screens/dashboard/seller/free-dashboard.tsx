import { Card, Grid, Stack, Text, Title } from '@mantine/core'
import type { User } from '#contract/account/accounts.ts'
import sheet from '#web/artwork/sheet.svg?raw'
import { planName } from '#web/components/account/account-words.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { PlanNotice, ProviderActions, UpgradeButton } from '#web/components/payments/payment-buttons.tsx'
import { onboardingFor, paths } from '#web/paths.ts'
import { Drawing } from '#web/site/page.tsx'
import { freePlan, proPlan, usePlanPrice } from '#web/site/plans/offers.ts'
import { Features } from '#web/site/plans/plan-card.tsx'
import { PayoutStatusCard, PayoutsStep, PersonCard, SellerMenuCard, SellingStep } from './dashboard-cards.tsx'
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
            <SellingStep user={user} />
            <PayoutStatusCard user={user} />
            <UnlockProCard />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <PersonCard user={user} />
            <CurrentPlanCard user={user} />
            <SellerMenuCard user={user} />
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
        <strong>{planName(user)}</strong>: {freePlan.name}, $0 per month
      </Text>
      <Text className="second">{freePlan.features.map(({ text }) => text).join(' · ')}</Text>
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
            {usePlanPrice('pro')} per month. {proPlan.for}
          </Text>
        </div>
        <Features features={proPlan.features.slice(1)} />
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
