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
// A page that the server does not render is one of the app area, and brings no data.
if (!data) void warmReads()
const areas = data ? [] : [(await import('#web/app-routes.ts')).appArea]
// What the next page is read with is there before a link is followed.
for (const sign of ['pointerover', 'keydown']) addEventListener(sign, warmReads, { once: true })
followOtherTabs()

const app = (
  <StrictMode>
    {/* As web/render.tsx writes it. */}
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
  // The loader that needs it tries again, and reports it.
  await loadReads().catch(() => undefined)
}

async function prepareHydration(element: HTMLElement): Promise<void> {
  // The router looks here by itself, and only from here does it turn JSON into route errors again.
  Object.assign(window, { __staticRouterHydrationData: JSON.parse(element.textContent ?? '') })
  // With a lazy route still to come, the router would start with its fallback, which the server did not write.
  await Promise.all(
    (matchRoutes(routesWith([]), window.location) ?? []).map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
  )
}
