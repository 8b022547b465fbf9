import { Badge } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import classes from './admin-layout.module.css'
import { type AdminWay, adminRecords, adminSideList, isCurrentWay } from './admin-ways.ts'

export function AdminSideList() {
  return (
    <nav aria-label="Admin menu" className={classes.list}>
      <Ways ways={adminSideList} />
      <Ways ways={adminRecords} />
    </nav>
  )
}

function Ways({ ways }: { ways: readonly AdminWay[] }) {
  const { pathname } = useLocation()
  return (
    <ul>
      {ways.map((way) => (
        <li key={way.label}>
          <Link
            to={way.to}
            className={classes.way}
            aria-current={isCurrentWay(way, pathname) ? 'page' : undefined}
          >
            <span>{way.label}</span>
            {way.note !== undefined && (
              <Badge color="gray" size="sm" aria-hidden>
                {way.note}
              </Badge>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
