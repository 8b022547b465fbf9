import { IconCheck } from '@tabler/icons-react'
import classes from './steps.module.css'

const choose = 'Choose your seller plan'
const connect = 'Complete Stripe onboarding'
const list = 'Start listing parts'

/** The way to the first listing; the plan is chosen on this page, so that is where one is. */
export function Steps({ payoutsDone }: { payoutsDone: boolean }) {
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
