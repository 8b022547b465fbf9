import { Button, SimpleGrid } from '@mantine/core'
import { Link } from 'react-router'
import { freePlan, proPlan } from '#web/components/plans/offers.ts'
import { PlanCard } from '#web/components/plans/plan-card.tsx'
import { registerFor } from '#web/paths.ts'
import classes from './home.module.css'

export function Plans() {
  return (
    <section className={classes.section} aria-labelledby="plans">
      <div className={classes.beside}>
        <div>
          <h2 id="plans">Two plans, nothing hidden</h2>
          <p className={`second ${classes.under}`}>
            The free plan is not a trial: no limit of parts, no end date. Pro is for those who list by the
            thousand.
          </p>
        </div>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <PlanCard
            offer={freePlan}
            action={
              <Button component={Link} to={registerFor('free')} size="md">
                Start with Free
              </Button>
            }
          />
          <PlanCard
            offer={proPlan}
            action={
              <Button component={Link} to={registerFor('pro')} size="md" variant="default">
                Register for Pro
              </Button>
            }
          />
        </SimpleGrid>
      </div>
    </section>
  )
}
