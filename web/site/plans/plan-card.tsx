import { IconCheck, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type PlanFeature, type PlanOffer, usePlanPrice } from './offers.ts'
import classes from './plan-card.module.css'

type PlanCardProps = {
  offer: PlanOffer
  /** Whether the user chose this plan before coming here. */
  chosen?: boolean
  note?: string
  order?: 2 | 3
  action: ReactNode
}

export function PlanCard({ offer, chosen = false, note, order = 3, action }: PlanCardProps) {
  const Heading = `h${order}` as const
  const price = usePlanPrice(offer.plan)
  return (
    <div className={classes.card} data-chosen={chosen || undefined}>
      <div className={classes.head}>
        <Heading className={classes.name}>{offer.name}</Heading>
        {chosen && <span className={classes.choice}>Your choice</span>}
      </div>
      <p className={classes.price}>
        <span className="display">{price}</span> per month
      </p>
      <p className="second">{offer.for}</p>
      <Features features={offer.features} className={classes.features} />
      {note !== undefined && <p className={classes.note}>{note}</p>}
      {action}
    </div>
  )
}

type FeaturesProps = { features: readonly PlanFeature[]; className?: string | undefined }

/** What a plan has; what is not built yet has no check mark. */
export function Features({ features, className }: FeaturesProps) {
  return (
    <ul className={[classes.list, className].filter(Boolean).join(' ')}>
      {features.map(({ text, soon, note }) => (
        <li key={text}>
          {soon ? (
            <IconClock size={18} stroke={2} className={classes.soon} aria-hidden />
          ) : (
            <IconCheck size={18} stroke={2} className={classes.check} aria-hidden />
          )}
          <span>
            {text} {soon && <span className={classes.later}>Coming soon</span>}
            {note !== undefined && <span className={classes.says}>{note}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
