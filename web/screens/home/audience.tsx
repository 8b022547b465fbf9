import { useProductName } from '#web/api/use-site.ts'
import classes from './home.module.css'

const points = [
  {
    title: 'We buy the attention',
    text: 'Part of what we earn goes back into traffic: bringing people with a broken car to the page of the part that fixes it.',
  },
  {
    title: 'The audience stays',
    text: 'Attention is built up, not rented by the click. Every part you list makes the place more worth searching, for you and for the yard next door.',
  },
  {
    title: 'You stay the seller',
    text: 'Your name and your town stand on each part. Your phone number is shown only if you say so.',
  },
]

/** The spec's marketing text: an investment in traffic, and trading in Bitcoin. Nothing is promised in money. */
export function Audience() {
  const name = useProductName()
  return (
    <section className="ink" aria-labelledby="audience">
      <div className={classes.section}>
        <div className={classes.audience}>
          <div>
            <h2 id="audience">A marketing house that happens to have a catalog</h2>
            <p className={classes.story}>
              {name} is a platform for building an audience before it is a store. A shelf full of good parts
              sells nothing while nobody walks past; so walking people past is what we work on, and what we
              put our money into.
            </p>
            <p className={classes.small}>
              What pays for it: we invest in traffic, and we trade in Bitcoin. That is our side of the
              business. Buyers and sellers here deal in dollars, and no listing depends on it.
            </p>
            <p className={classes.small}>
              What a part brings depends on the part, its price and its season. We promise effort and plain
              figures, not earnings.
            </p>
          </div>
          <ul className={classes.points}>
            {points.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  )
}
