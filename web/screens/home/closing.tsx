import { Link } from 'react-router'
import { paths, registerFor } from '#web/paths.ts'
import choices from './choices.module.css'
import classes from './home.module.css'

export function Closing() {
  return (
    <section className="ink" aria-labelledby="closing">
      <div className={classes.closing}>
        <h2 id="closing">The part is on your shelf. Somebody is looking for it.</h2>
        <div className={choices.choices}>
          <Link to={registerFor('free')} className={choices.rust}>
            List your first part
          </Link>
          <Link to={paths.help} className={choices.outlined}>
            Read how it works
          </Link>
        </div>
      </div>
    </section>
  )
}
