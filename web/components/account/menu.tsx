import { Badge, Card } from '@mantine/core'
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'
import { paths } from '#web/paths.ts'
import classes from './menu.module.css'

/** A link to a page, with an optional badge next to it, or a button that leads to the payment provider. */
export type MenuItem = { label: string } & (
  | { to: string; Aside?: ComponentType }
  | { run: () => void; busy: boolean }
)

export function Menu({ title, items }: { title: string; items: MenuItem[] }) {
  return (
    <Card padding={0}>
      <nav aria-label={title}>
        <h2 className={classes.title}>{title}</h2>
        <ul className={classes.items}>
          {items.map((item) => (
            <li key={item.label}>
              <MenuEntry item={item} />
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  )
}

function MenuEntry({ item }: { item: MenuItem }) {
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

/** Extra menu entries for admins (role 1). */
export function adminLinks({ role }: Pick<User, 'role'>): { label: string; to: string }[] {
  if (role !== 1) return []
  return [
    { label: 'Admin Dashboard', to: paths.adminDashboard },
    { label: 'Mission Control', to: paths.missionControl },
  ]
}

/** "3 new" next to the link to the messages; nothing if all of them are answered or closed. */
export function NewMessages() {
  const { data: waiting = 0 } = useQuery({
    queryKey: ['leads', 'waiting'],
    queryFn: async ({ signal }) => {
      const { counts } = await call(leadEndpoints.listLeads, { query: { perPage: 1 }, signal })
      return counts.new
    },
    // Polls, because the menu may stay open for hours.
    refetchInterval: 60_000,
  })
  return waiting > 0 ? <Badge size="md">{waiting.toLocaleString('en-US')} new</Badge> : null
}
