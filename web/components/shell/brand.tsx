import { Link } from 'react-router'
import { useProductName } from '#web/api/use-site.ts'
import { paths } from '#web/paths.ts'
import classes from './shell.module.css'

/** The mark (a ring and its hub) and the product's name; leads home. */
export function Brand() {
  const name = useProductName()
  return (
    <Link to={paths.home} className={classes.brand}>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <circle cx="16" cy="16" r="12.5" fill="none" stroke="currentColor" strokeWidth="4" />
        <circle cx="16" cy="16" r="5" fill="currentColor" />
      </svg>
      <span className="display">{name}</span>
    </Link>
  )
}
