import { Stack } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { useProfile } from '#web/api/use-profile.ts'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { Page } from '#web/components/page.tsx'
import { BalanceCard } from '#web/components/payments/balance-card.tsx'
import { PayoutCard } from '#web/components/payments/payout-card.tsx'
import { SubscriptionCard } from '#web/components/payments/subscription-card.tsx'
import { useReturn } from '#web/components/payments/use-return.ts'
import { ListingDefaultsCard } from './listing-defaults-card.tsx'
import { noPassword, PasswordCard } from './password-card.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { useListingDefaults } from './use-listing-defaults.ts'
import { useSection } from './use-section.ts'

export function Component() {
  const user = useProfile()
  useReturn('billing')
  return user ? <Settings user={user} /> : null
}

function Settings({ user }: { user: User }) {
  const profile = useSection({ name: user.name, email: user.email })
  const defaults = useListingDefaults(user)
  const preferences = useSection({ ...user.notificationPrefs, ...user.communicationPrefs })
  const password = useSection(noPassword)
  // Browsers fill in the current password by themselves; only a new one is work of a person.
  const newPassword = password.values.password !== ''
  useLeaveGuard(newPassword || [profile, defaults, preferences].some(({ changed }) => changed))

  return (
    <Page
      title="Account Settings"
      lead="Who you are, how you are paid, and what each new listing begins with."
      width="text"
    >
      <Stack gap="md">
        <PayoutCard user={user} />
        <BalanceCard user={user} />
        <SubscriptionCard user={user} />
        <ProfileCard section={profile} />
        <ListingDefaultsCard section={defaults} />
        <PreferencesCard section={preferences} />
        <PasswordCard section={password} email={user.email} />
        <SessionsCard />
      </Stack>
    </Page>
  )
}
