import { Outlet, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './admin-layout.module.css'
import { AdminMenu } from './admin-menu.tsx'
import { AdminSideList } from './admin-side-list.tsx'
import { AdminTabs } from './admin-tabs.tsx'

/** Grids and consoles need the window's width; there the side list waits behind its button. */
const widePages: readonly string[] = [paths.bulkEdit, paths.missionControl, paths.missionControlToo]

/** What stands around every page of the admin area: the header with its tabs, and the side list. */
export function Component() {
  const { pathname } = useLocation()
  return (
    <>
      <div className={classes.header}>
        <div className={classes.bar}>
          <AdminMenu />
          <AdminTabs />
        </div>
      </div>
      <div
        className={classes.frame}
        data-wide={widePages.includes(pathname.replace(/\/+$/, '')) || undefined}
      >
        <div className={classes.side}>
          <AdminSideList />
        </div>
        <div className={classes.content}>
          <Outlet />
        </div>
      </div>
    </>
  )
}
