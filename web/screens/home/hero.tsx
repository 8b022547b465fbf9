import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/use-site.ts'
import heroDrawing from '#web/artwork/hero.svg?raw'
import { Drawing } from '#web/components/drawing.tsx'
import { onboardingFor, registerFor } from '#web/paths.ts'
import choices from './choices.module.css'
import classes from './hero.module.css'

export function Hero() {
  // Who has an account already goes straight to the plans.
  const planPage = useSession().token === undefined ? registerFor : onboardingFor
  return (
    <section className="ink">
      <div className={classes.hero}>
        <div className={classes.heroText}>
          <h1 className={classes.headline}>Worlds #1 Marketplace For Auto Parts</h1>
          <p className={classes.promise}>
            List what is on your shelves, with a picture and a price. Be found by the people who need that
            part today.
          </p>
          <div className={choices.choices}>
            <Link to={planPage('free')} className={choices.rust}>
              Become a Seller (Free Version)
            </Link>
            <Link to={planPage('pro')} className={choices.outlined}>
              Become a Dealer (Paid Version)
            </Link>
          </div>
          <Figures />
        </div>
        <Drawing
          svg={heroDrawing}
          className={classes.heroDrawing}
          label="An alternator, taken apart: cover, brushes, stator, rotor, housing"
        />
      </div>
    </section>
  )
}

/** Live, from this installation; the last one is the price of the free plan. */
function Figures() {
  const { data, isError } = useSite()
  const counts = data?.counts
  // Their place is kept while they come; without an answer they are left out.
  const figures =
    isError && !data
      ? []
      : [
          { label: 'parts listed', value: counts?.listings },
          { label: 'manufacturers', value: counts?.manufacturers },
          { label: 'models', value: counts?.models },
        ]
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="display">{value?.toLocaleString('en-US') ?? '…'}</dd>
        </div>
      ))}
      <div>
        <dt>to start</dt>
        <dd className="display">$0</dd>
      </div>
    </dl>
  )
}
