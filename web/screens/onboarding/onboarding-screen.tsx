import { Button, SimpleGrid } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Page } from '#web/components/page.tsx'
import { freePlan, proOpensLater, proPlan } from '#web/components/plans/offers.ts'
import { PlanCard } from '#web/components/plans/plan-card.tsx'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { type Plan, paths, planIn } from '#web/paths.ts'
import classes from './onboarding.module.css'

const steps = ['Choose your seller plan', 'Complete Stripe onboarding', 'Start listing parts']

export function Component() {
  const signedIn = useSession().token !== undefined
  const [search] = useSearchParams()
  const chosen = search.has('plan') ? planIn(search) : undefined
  const navigate = useNavigate()

  function choose(plan: Plan) {
    if (!signedIn) notifyProblem('Please login to continue onboarding')
    else if (plan === 'pro') notifyInfo(proOpensLater)
    else void navigate(paths.sellerDashboard)
  }

  return (
    <Page
      title="Onboarding"
      heading="Choose your plan"
      lead="You can change it later; your listings stay what they are."
      width="text"
    >
      <ol className={classes.steps}>
        {steps.map((step, place) => (
          <li key={step} aria-current={place === 0 ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <PlanCard
          offer={freePlan}
          order={2}
          chosen={chosen === 'free'}
          action={
            <Button size="md" onClick={() => choose('free')}>
              Continue with Free
            </Button>
          }
        />
        <PlanCard
          offer={proPlan}
          order={2}
          chosen={chosen === 'pro'}
          note={proOpensLater}
          action={
            <Button size="md" variant="default" onClick={() => choose('pro')}>
              Continue with Pro
            </Button>
          }
        />
      </SimpleGrid>
    </Page>
  )
}
