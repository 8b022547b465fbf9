import { SimpleGrid } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Page } from '#web/components/page/page.tsx'
import { useChoosePlan } from '#web/components/payments/account-actions.ts'
import { readOnboarding } from '#web/components/payments/onboarding-state.ts'
import { PaymentButton, TestPayments } from '#web/components/payments/payment-buttons.tsx'
import { freePlan, type PlanOffer, proPlan } from '#web/components/plans/offers.ts'
import { PlanCard } from '#web/components/plans/plan-card.tsx'
import { type Plan, planIn } from '#web/paths.ts'
import classes from './onboarding.module.css'

export function Component() {
  const { user } = useSession()
  const [search] = useSearchParams()
  const chosen = chosenPlan(search, user?.id)
  const isPro = user?.sellerTier === 'PAID'
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
  // The chosen plan comes first, so a phone shows it without scrolling.
  const order: Plan[] = chosen === 'pro' ? ['pro', 'free'] : ['free', 'pro']

  return (
    <Page
      title="Onboarding"
      heading="Choose your plan"
      lead="You can change it later. Your listings won’t change."
      width="text"
      aside={<TestPayments />}
    >
      <Steps payoutsDone={user?.connectStatus === 'VERIFIED'} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {order.map((plan, place) => {
          const { action, label, ...card } = cards[plan]
          return (
            <PlanCard
              key={plan}
              {...card}
              order={2}
              chosen={chosen === plan}
              action={
                <PaymentButton action={action} size="md" variant={place === 0 ? 'filled' : 'default'}>
                  {label}
                </PaymentButton>
              }
            />
          )
        })}
      </SimpleGrid>
    </Page>
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

/** The steps to a first listing. This page is the first of them. */
function Steps({ payoutsDone }: { payoutsDone: boolean }) {
  return (
    <ol className={classes.steps}>
      {[choose, connect, list].map((step) => (
        <li key={step} aria-current={step === choose ? 'step' : undefined}>
          {step}
          {step === connect && payoutsDone && (
            <IconCheck size={18} className={classes.done} role="img" aria-label="done" />
          )}
        </li>
      ))}
    </ol>
  )
}
