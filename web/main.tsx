import '#web/site/site.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { matchRoutes } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { followOtherTabs } from '#web/api/session.ts'
import { reportWebVitals } from '#web/api/web-vitals.ts'
import { loadReads, openRouter, routesWith } from '#web/routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const data = document.getElementById('data')
if (data) await prepareHydration(data)
// Pages of the app area are not rendered on the server, so they come without data.
if (!data) void warmReads()
const areas = data ? [] : [(await import('#web/app-routes.ts')).appArea]
// Loads what the next page reads with before a link is followed.
for (const event of ['pointerover', 'keydown']) addEventListener(event, warmReads, { once: true })
followOtherTabs()

const app = (
  <StrictMode>
    {/* The same element as in web/render.tsx. */}
    <div id="app">
      <RouterProvider router={openRouter(areas)} />
    </div>
  </StrictMode>
)
// In a transition, hydration gives way to input; otherwise it is one long task.
if (data) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)
reportWebVitals()

async function warmReads(): Promise<void> {
  // The loader that needs it tries again and reports the failure.
  await loadReads().catch(() => undefined)
}

async function prepareHydration(element: HTMLElement): Promise<void> {
  // The router reads this global by itself; only from here does it turn JSON back into route errors.
  Object.assign(window, { __staticRouterHydrationData: JSON.parse(element.textContent ?? '') })
  // With a lazy route not loaded yet, the router would first render its fallback, which the server did not send.
  await Promise.all(
    (matchRoutes(routesWith([]), window.location) ?? []).map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
  )
}
