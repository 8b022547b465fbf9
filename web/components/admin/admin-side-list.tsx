import { Badge } from '@mantine/core'
import { NavLink } from 'react-router'
import classes from './admin-layout.module.css'
import { type AdminWay, adminRecords, adminSideList } from './admin-ways.ts'

export function AdminSideList() {
  return (
    <nav aria-label="Admin menu" className={classes.list}>
      <Ways ways={adminSideList} />
      <Ways ways={adminRecords} />
    </nav>
  )
}

function Ways({ ways }: { ways: readonly AdminWay[] }) {
  return (
    <ul>
      {ways.map(({ label, to, exact = false, note }) => (
        <li key={label}>
          <NavLink to={to} end={exact} className={classes.way ?? ''}>
            {label}
            {note !== undefined && (
              <Badge color="gray" size="sm">
                {note}
              </Badge>
            )}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
