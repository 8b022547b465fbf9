import { Button, SimpleGrid } from '@mantine/core'
import { Link } from 'react-router'
import { PlanCard } from '#web/components/plans/plan-card.tsx'
import { freePlan, proOpensLater, proPlan } from '#web/components/plans/plans.ts'
import { registerFor } from '#web/paths.ts'
import classes from './home.module.css'

export function Plans() {
  return (
    <section className={classes.section} aria-labelledby="plans">
      <h2 id="plans">Two plans, nothing hidden</h2>
      <p className={`second ${classes.under}`}>
        The free plan is not a trial: no limit of parts, no end date. Pro is for those who list by the
        thousand.
      </p>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" maw="56rem">
        <PlanCard
          offer={freePlan}
          action={
            <Button component={Link} to={registerFor('free')}>
              Start with Free
            </Button>
          }
        />
        <PlanCard
          offer={proPlan}
          note={proOpensLater}
          action={
            <Button component={Link} to={registerFor('pro')} variant="default">
              Register for Pro
            </Button>
          }
        />
      </SimpleGrid>
    </section>
  )
}
