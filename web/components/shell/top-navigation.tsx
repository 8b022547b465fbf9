import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/use-site.ts'
import { Brand } from './brand.tsx'
import { useLogOut } from './log-out.ts'
import { MobileMenu } from './mobile-menu.tsx'
import { navigationItems } from './navigation-items.ts'
import { NavigationLink } from './navigation-link.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'
import classes from './shell.module.css'

export function TopNavigation() {
  const signedIn = useSession().token !== undefined
  const { left, right } = navigationItems(signedIn, useSite().data?.findPartsUrl)
  const logOut = useLogOut()
  return (
    <header className={`ink ${classes.header}`}>
      <div className={classes.bar}>
        <Brand />
        <nav className={classes.wide} aria-label="Main">
          <ul className={classes.items}>
            {left.map((item) => (
              <li key={item.label}>
                <NavigationLink item={item} className={classes.item} />
              </li>
            ))}
          </ul>
          <ul className={classes.items}>
            {right.map((item) => (
              <li key={item.label}>
                <NavigationLink item={item} className={item.prominent ? classes.prominent : classes.item} />
              </li>
            ))}
            {signedIn && (
              <li>
                <button type="button" className={classes.item} onClick={() => void logOut()}>
                  Logout
                </button>
              </li>
            )}
          </ul>
        </nav>
        <SchemeToggle />
        <MobileMenu items={[...left, ...right]} onLogOut={signedIn ? logOut : undefined} />
      </div>
    </header>
  )
}
