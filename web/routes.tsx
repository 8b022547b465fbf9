import { createBrowserRouter, createPath, type RouteObject } from 'react-router'
import { ApplicationError } from '#web/components/application-error.tsx'
import { AdminGuard, UserGuard } from '#web/components/guards/guard.tsx'
import { loadScreen } from '#web/components/load-screen.tsx'
import { Shell } from '#web/components/shell/shell.tsx'
import { Waiting } from '#web/components/waiting.tsx'

type Screen = { Component: React.ComponentType }

/** A page: its address and the one lazy import of its screen. */
function page(path: string, load: () => Promise<Screen>): RouteObject {
  return { path, lazy: () => loadScreen(load, pendingAddress) }
}

const publicPages: RouteObject[] = []

const userPages: RouteObject[] = []

const adminPages: RouteObject[] = []

const routes: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: ApplicationError,
    HydrateFallback: Waiting,
    children: [
      {
        ErrorBoundary: ApplicationError,
        HydrateFallback: Waiting,
        children: [
          ...publicPages,
          { Component: UserGuard, children: userPages },
          { Component: AdminGuard, children: adminPages },
          page('*', () => import('#web/screens/not-found/not-found-screen.tsx')),
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes)

/** Where the person is going at the moment; a reload goes there, not to the page they are leaving. */
function pendingAddress(): string | undefined {
  const { location } = router.state.navigation
  return location && createPath(location)
}
