import { Card } from '@mantine/core'
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import classes from './menu.module.css'

/** A way to a page of ours, with what there is to know of it beside; or what leaves for the provider at once. */
export type MenuItem = { label: string } & (
  | { to: string; Aside?: ComponentType }
  | { run: () => void; busy: boolean }
)

/** Ways on from a dashboard. */
export function Menu({ title, items }: { title: string; items: MenuItem[] }) {
  return (
    <Card padding={0}>
      <nav aria-label={title}>
        <h2 className={classes.title}>{title}</h2>
        <ul className={classes.items}>
          {items.map((item) => (
            <li key={item.label}>
              <Way item={item} />
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  )
}

function Way({ item }: { item: MenuItem }) {
  if ('to' in item) {
    const { label, to, Aside } = item
    return (
      <Link to={to}>
        <span className={classes.label}>{label}</span>
        {Aside && <Aside />}
        <IconChevronRight size={18} stroke={1.6} aria-hidden />
      </Link>
    )
  }
  return (
    <button type="button" onClick={item.run} disabled={item.busy}>
      <span className={classes.label}>{item.label}</span>
      <IconExternalLink size={18} stroke={1.6} aria-hidden />
    </button>
  )
}
