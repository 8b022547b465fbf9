import { Group, NativeSelect, Text } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import { connectStatuses, subscriptionStatuses, type User } from '#contract/account/accounts.ts'
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

/** A seller's view, read-only: everything in the frame can be focused and read, but not used. */
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
            What this seller sees, with the numbers of your own account. Preview only; controls are disabled.
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
  if (pressed) notifyInfo('Preview only; controls are disabled', { about: 'read-only' })
}

type Tier = User['sellerTier']

/** The parts of a seller that decide what the dashboard shows, kept in the URL. */
export type SellerState = Pick<User, 'connectStatus' | 'subscriptionStatus'>

const defaultStates: Record<Tier, SellerState> = {
  FREE: { connectStatus: 'NOT_STARTED', subscriptionStatus: 'INACTIVE' },
  PAID: { connectStatus: 'VERIFIED', subscriptionStatus: 'ACTIVE' },
}

function readSellerState(params: URLSearchParams, tier: Tier): SellerState {
  const { connectStatus, subscriptionStatus } = Object.fromEntries(params)
  const usual = defaultStates[tier]
  return {
    connectStatus: connectStatuses.find((status) => status === connectStatus) ?? usual.connectStatus,
    subscriptionStatus:
      subscriptionStatuses.find((status) => status === subscriptionStatus) ?? usual.subscriptionStatus,
  }
}

/** A fictional seller: the admin's own account with another state. */
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
