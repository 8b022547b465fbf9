import { Link } from 'react-router'
import { useProductName } from '#web/api/use-site.ts'
import mark from '#web/artwork/mark.svg?raw'
import { Drawing } from '#web/components/drawing.tsx'
import { paths } from '#web/paths.ts'
import classes from './shell.module.css'

/** The mark (a ring and its hub) and the product's name; leads home. */
export function Brand() {
  const name = useProductName()
  return (
    <Link to={paths.home} className={classes.brand}>
      <Drawing svg={mark} className={classes.mark} />
      <span className="display">{name}</span>
    </Link>
  )
}
