import { Card } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './menu.module.css'

type MenuProps = { title: string; links: { label: string; to: string }[] }

/** Ways on from a dashboard. */
export function Menu({ title, links }: MenuProps) {
  return (
    <Card padding={0}>
      <nav aria-label={title}>
        <h2 className={classes.title}>{title}</h2>
        <ul className={classes.links}>
          {links.map(({ label, to }) => (
            <li key={label}>
              <Link to={to}>
                {label}
                <IconChevronRight size={18} stroke={1.6} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  )
}
