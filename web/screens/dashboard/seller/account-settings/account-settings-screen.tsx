import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ownDataEndpoints, type User } from '#contract/account/accounts.ts'
import { useProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { useStripeReturn } from '#web/components/payments/account-actions.ts'
import { BalanceCard } from '#web/components/payments/balance-card.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { ApiTokensCard } from './api-tokens-card.tsx'
import { CloseAccountCard } from './close-account-card.tsx'
import { FeedsCard } from './feeds-card.tsx'
import { ListingDefaultsCard, useListingDefaults } from './listing-defaults-card.tsx'
import { PayoutCard, SubscriptionCard } from './payment-cards.tsx'
import {
  PasswordCard,
  PreferencesCard,
  ProfileCard,
  usePasswordSection,
  usePreferences,
  useProfileSection,
} from './profile-cards.tsx'
import { SellingCard } from './selling-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoStepCard } from './two-step-card.tsx'

export function Component() {
  const user = useProfile()
  useStripeReturn('billing')
  return user ? <Settings user={user} /> : null
}

function Settings({ user }: { user: User }) {
  const profile = useProfileSection(user)
  const defaults = useListingDefaults(user)
  const preferences = usePreferences(user)
  const password = usePasswordSection()
  // Browsers autofill the current password, so only a new one counts as unsaved work.
  const newPassword = password.values.password !== ''
  useLeaveGuard(newPassword || [profile, defaults, preferences].some(({ changed }) => changed))

  return (
    <Page title="Account Settings" lead="Your profile, payouts and listing defaults." width="text">
      <Stack gap="md">
        <PayoutCard user={user} />
        <BalanceCard user={user} />
        <SubscriptionCard user={user} />
        <ProfileCard section={profile} user={user} />
        <SellingCard user={user} />
        <YardCard />
        <ListingDefaultsCard section={defaults} />
        <PreferencesCard section={preferences} />
        <PasswordCard section={password} email={user.email} />
        <TwoStepCard />
        <SessionsCard />
        <FeedsCard />
        <ApiTokensCard />
        <OwnDataCard />
        <CloseAccountCard user={user} />
      </Stack>
    </Page>
  )
}

function YardCard() {
  return (
    <SectionCard
      title="Your yard’s page"
      lead="Opening hours, address, phone, shipping, returns and warranty, as buyers see them."
    >
      <ButtonLink to={paths.yard} variant="default" style={{ alignSelf: 'flex-start' }}>
        Edit your page
      </ButtonLink>
    </SectionCard>
  )
}

function OwnDataCard() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(ownDataEndpoints.exportOwnData),
    onSuccess: (file) => saveFile(file, `my-data-${new Date().toISOString().slice(0, 10)}.zip`),
    onError: (error) =>
      notifyError(error, 'The download failed. Please try again.', {
        place: 'top-center',
        about: 'own data',
      }),
  })
  return (
    <SectionCard
      title="Your data"
      lead="Everything we store about you: settings, listings with picture addresses, messages, imports and activity."
    >
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => mutate()}
        loading={isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        Download your data
      </Button>
    </SectionCard>
  )
}
