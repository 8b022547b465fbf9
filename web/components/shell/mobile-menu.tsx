import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { NavigationItem } from './navigation-items.ts'
import { NavigationLink } from './navigation-link.tsx'
import classes from './shell.module.css'

type MobileMenuProps = { items: NavigationItem[]; onLogOut: (() => Promise<void>) | undefined }

/**
 * The flyout of narrow windows. The drawer closes on Escape and on a click beside it, keeps the focus inside, holds the
 * page still and gives the focus back to the button; a change of route closes it here.
 */
export function MobileMenu({ items, onLogOut }: MobileMenuProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is read by nobody; its change is the signal
  useEffect(close, [key])

  return (
    <>
      <button
        type="button"
        className={classes.menuButton}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={open}
      >
        <IconMenu2 size={22} stroke={1.6} aria-hidden />
      </button>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size="min(20rem, 85vw)"
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close menu', size: 'lg' }}
      >
        <nav aria-label="Main">
          <ul className={classes.flyout}>
            {items.map((item) => (
              <li key={item.label}>
                <NavigationLink item={item} className={classes.flyoutItem} />
              </li>
            ))}
            {onLogOut && (
              <li>
                <button type="button" className={classes.flyoutItem} onClick={() => void onLogOut()}>
                  Logout
                </button>
              </li>
            )}
          </ul>
        </nav>
      </Drawer>
    </>
  )
}
