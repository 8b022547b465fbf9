// Runs before the first paint; in a file, because the policy allows no inline script. The block keeps names local.
{
  // Dark pages must not flash white. The key is the one in web/site/frame/color-scheme.ts.
  try {
    const chosen = localStorage.getItem('colorScheme')
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const known = chosen === 'light' || chosen === 'dark'
    document.documentElement.dataset.mantineColorScheme = known ? chosen : system
  } catch {
    // Storage is blocked: the app applies the system's preference a moment later.
  }

  // Paper is light, whatever the screen is.
  const root = document.documentElement
  let onScreen = ''
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) onScreen = root.dataset.mantineColorScheme
    root.dataset.mantineColorScheme = matches ? 'light' : onScreen
  })

  // A rendered page's scripts wait in a template until the first paint: on a slow line they would delay its styles, font
  // and picture.
  const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
  const painted = new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    // For browsers without paint timing.
    addEventListener('load', () => setTimeout(resolve, 1000))
  })
  void Promise.all([parsed, painted]).then(() => {
    const scripts = document.getElementById('scripts')?.content
    if (!scripts) return
    // After the visible pictures.
    for (const link of scripts.children) link.fetchPriority = 'low'
    document.head.append(scripts)
  })

  // Links and forms work without scripts. Other actions are repeated once scripts run (web/site/frame/frame.tsx).
  const waiting = new Map()
  const replayed = { click: 'button[type="button"]', change: 'select', focusin: 'input' }
  const remember = ({ type, target }) => {
    const field = target.closest?.(replayed[type])
    if (field) waiting.set(type, field)
  }
  for (const type of Object.keys(replayed)) addEventListener(type, remember, true)
  addEventListener('ready', () => {
    for (const type of Object.keys(replayed)) removeEventListener(type, remember, true)
    for (const [type, field] of waiting) field.dispatchEvent(new Event(type, { bubbles: true }))
  })
}
