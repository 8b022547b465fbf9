import { Group, NativeSelect, Text } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import { connectStatuses, subscriptionStatuses, type User } from '#contract/accounts.ts'
import { useSession } from '#web/api/session.ts'
import { statusWords } from '#web/components/account/account-words.ts'
import { usePageTitle } from '#web/components/page/page.tsx'
import { notifyInfo } from '#web/components/toasts.tsx'
import classes from './seller-frame.module.css'

type SellerFrameProps = {
  title: string
  tier: User['sellerTier']
  children: (seller: User) => ReactNode
}

/** What a seller sees, for looking only: everything in the frame can be read and reached, but nothing happens. */
export function SellerFrame({ title, tier, children }: SellerFrameProps) {
  const { user } = useSession()
  const [params, setParams] = useSearchParams()
  usePageTitle(title)
  if (!user) return null
  const state = readSellerState(params, tier)
  const change = (name: string, value: string) =>
    setParams(
      (before) => {
        before.set(name, value)
        return before
      },
      { preventScrollReset: true },
    )
  return (
    <section aria-label={title} className={classes.frame}>
      <div className={classes.notice}>
        <div>
          <Text fw={700}>{title}: read-only view</Text>
          <Text size="sm" className="second">
            What such a seller sees. Figures are those of your own account; nothing in the frame does
            anything.
          </Text>
        </div>
        <Group gap="sm">
          {stateChoices.map(({ name, label, data }) => (
            <NativeSelect
              key={name}
              label={label}
              data={data}
              value={state[name]}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          ))}
        </Group>
      </div>
      <div className={classes.view} onClickCapture={refuse} onSubmitCapture={refuse}>
        {children(sampleSeller(user, tier, state))}
      </div>
    </section>
  )
}

function refuse(event: SyntheticEvent): void {
  event.preventDefault()
  event.stopPropagation()
  const pressed = event.target instanceof Element && event.target.closest('a, button') !== null
  if (pressed) notifyInfo('Read-only view: nothing happens here', { about: 'read-only' })
}

type Tier = User['sellerTier']

/** What of a seller decides what their dashboard shows, as it stands in the address. */
export type SellerState = Pick<User, 'connectStatus' | 'subscriptionStatus'>

const usual: Record<Tier, SellerState> = {
  FREE: { connectStatus: 'NOT_STARTED', subscriptionStatus: 'INACTIVE' },
  PAID: { connectStatus: 'VERIFIED', subscriptionStatus: 'ACTIVE' },
}

function readSellerState(params: URLSearchParams, tier: Tier): SellerState {
  return {
    connectStatus:
      connectStatuses.find((status) => status === params.get('connectStatus')) ?? usual[tier].connectStatus,
    subscriptionStatus:
      subscriptionStatuses.find((status) => status === params.get('subscriptionStatus')) ??
      usual[tier].subscriptionStatus,
  }
}

/** A seller who is nobody: the admin's own account in another's state. */
function sampleSeller(admin: User, tier: Tier, state: SellerState): User {
  const subscribed = state.subscriptionStatus === 'ACTIVE' || state.subscriptionStatus === 'PAST_DUE'
  return {
    ...admin,
    ...state,
    role: 0,
    name: tier === 'PAID' ? 'A Pro seller' : 'A free seller',
    sellerTier: tier,
    subscriptionId: subscribed ? 'sample' : null,
    subscriptionEndsAt: null,
    stripe_seller: { charges_enabled: state.connectStatus === 'VERIFIED' },
  }
}

const choices = (statuses: readonly string[]) =>
  statuses.map((value) => ({ value, label: statusWords(value) }))

const stateChoices = [
  { name: 'connectStatus', label: 'Payouts', data: choices(connectStatuses) },
  { name: 'subscriptionStatus', label: 'Subscription', data: choices(subscriptionStatuses) },
] as const
