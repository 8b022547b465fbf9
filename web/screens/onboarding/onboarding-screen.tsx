import { Group, SimpleGrid, Stack, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { useSession } from '#web/api/session.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { Page } from '#web/components/page/page.tsx'
import { useChoosePlan, useResumeOnboarding } from '#web/components/payments/account-actions.ts'
import { keepReturnPath, readOnboarding } from '#web/components/payments/onboarding-state.ts'
import { PaymentButton, TestPayments } from '#web/components/payments/payment-buttons.tsx'
import { type Plan, paths, planIn, safeReturnPath } from '#web/paths.ts'
import { freePlan, type PlanOffer, proPlan } from '#web/site/plans/offers.ts'
import { PlanCard } from '#web/site/plans/plan-card.tsx'
import classes from './onboarding.module.css'

/** The plan chooser. A Pro seller has already chosen and first sees the remaining step. */
export function Component() {
  const { user } = useSession()
  const [search] = useSearchParams()
  if (user?.sellerTier === 'PAID') {
    return <ProOnboarding user={user} from={safeReturnPath(search.get('from'))} />
  }
  const chosen = chosenPlan(search, user?.id)
  return (
    <Page
      title="Onboarding"
      heading="Choose your plan"
      lead="You can change it later. Your listings won’t change."
      width="text"
      aside={<TestPayments />}
    >
      <Steps current={choose} done={user?.connectStatus === 'VERIFIED' ? [connect] : []} />
      <PlanCards chosen={chosen} order={chosen === 'pro' ? ['pro', 'free'] : ['free', 'pro']} />
    </Page>
  )
}

type PlanCardsProps = {
  chosen?: Plan | undefined
  /** A phone shows the first card without scrolling; its button is the page's main one. */
  order: readonly Plan[]
  isPro?: boolean
}

function PlanCards({ chosen, order, isPro = false }: PlanCardsProps) {
  const free = useChoosePlan('FREE')
  const pro = useChoosePlan('PAID')
  const cards: Record<Plan, { offer: PlanOffer; action: typeof free; label: string; note?: string }> = {
    free: {
      offer: freePlan,
      action: free,
      label: 'Continue with Free',
      ...(isPro && { note: 'You are on Pro. To switch, cancel Pro under Manage Billing.' }),
    },
    pro: {
      offer: proPlan,
      action: pro,
      label: 'Continue with Pro',
      note: isPro ? 'This is your plan.' : 'Cancel any time. You keep Pro until the end of the paid month.',
    },
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {order.map((plan, place) => {
        const { action, label, ...card } = cards[plan]
        const variant = place === 0 && !isPro ? 'filled' : 'default'
        return (
          <PlanCard
            key={plan}
            {...card}
            order={isPro ? 3 : 2}
            chosen={chosen === plan}
            action={
              <PaymentButton action={action} size="md" variant={variant}>
                {label}
              </PaymentButton>
            }
          />
        )
      })}
    </SimpleGrid>
  )
}

/** The plan in the URL after registration, otherwise the one from an unfinished checkout. */
function chosenPlan(search: URLSearchParams, userId: string | undefined): Plan | undefined {
  if (search.has('plan')) return planIn(search)
  return readOnboarding(userId).plan === 'PAID' ? 'pro' : undefined
}

const choose = 'Choose your seller plan'
const connect = 'Complete Stripe onboarding'
const list = 'Start listing parts'
const steps = [choose, connect, list] as const
type Step = (typeof steps)[number]

/** The steps to a first listing. */
function Steps({ current, done }: { current: Step; done: readonly Step[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          {step}
          {done.includes(step) && (
            <IconCheck size={18} className={classes.done} role="img" aria-label="done" />
          )}
        </li>
      ))}
    </ol>
  )
}

const payoutWords: Record<User['connectStatus'], { heading: string; text: string }> = {
  NOT_STARTED: {
    heading: 'Set up payouts',
    text: 'Stripe pays you for what you sell and needs your name, address, and bank account. You do this once. Then you can import your inventory.',
  },
  IN_PROGRESS: {
    heading: 'You can start listing',
    text: 'Stripe needs more details before it can pay you. Add them any time from your dashboard.',
  },
  PENDING: { heading: 'You can start listing', text: 'Stripe is reviewing your payout details.' },
  VERIFIED: { heading: 'You are all set', text: 'Your plan is active and your payouts are verified.' },
  REJECTED: {
    heading: 'You can start listing',
    text: 'Stripe declined your payout account. Ask technical support what you can do.',
  },
}

/** Asks for payouts once. Afterwards the user returns to `from`. */
function ProOnboarding({ user, from }: { user: User; from: string | undefined }) {
  const { connectStatus } = user
  const needsPayouts = connectStatus === 'NOT_STARTED'
  const { heading, text } = payoutWords[connectStatus]
  const back = from ?? paths.createBulkListing
  return (
    <Page title="Onboarding" heading={heading} lead={text} width="text" aside={<TestPayments />}>
      <Steps
        current={needsPayouts ? connect : list}
        done={connectStatus === 'VERIFIED' ? [choose, connect] : [choose]}
      />
      <Stack gap="xl">
        <Group gap="sm">
          {needsPayouts && <SetUpPayouts user={user} from={back} />}
          <ButtonLink to={back} size="md" variant={needsPayouts ? 'default' : 'filled'}>
            {back.startsWith(paths.createBulkListing) ? 'Back to Bulk Import' : 'Back to where you were'}
          </ButtonLink>
        </Group>
        <Stack component="section" aria-labelledby="your-plan" gap="md">
          <Title order={2} size="h3" id="your-plan">
            Your plan
          </Title>
          <PlanCards order={['pro', 'free']} isPro />
        </Stack>
      </Stack>
    </Page>
  )
}

function SetUpPayouts({ user, from }: { user: User; from: string }) {
  const resume = useResumeOnboarding()
  const run = () => {
    keepReturnPath(user.id, from)
    resume.run()
  }
  return (
    <PaymentButton action={{ ...resume, run }} size="md" variant="filled">
      Set up payouts
    </PaymentButton>
  )
}
