import { NavLink } from 'react-router'
import { paths } from '#web/paths.ts'
import type { NavigationItem } from './navigation-items.ts'

export function NavigationLink({ item, className }: { item: NavigationItem; className: string | undefined }) {
  if (item.outside) {
    return (
      <a href={item.to} className={className} rel="noopener">
        {item.label}
      </a>
    )
  }
  // Home is the beginning of every address; only itself is the current page.
  return (
    <NavLink
      to={item.to}
      end={item.to === paths.home}
      className={className ?? ''}
      data-prominent={item.prominent}
    >
      {item.label}
    </NavLink>
  )
}
