// What comes before the first paint, in one file: the policy allows no inline script. Names stay inside of the block.
{
  // A page in the dark scheme does not flash white. The key is that of web/site/frame/color-scheme.ts.
  try {
    const chosen = localStorage.getItem('colorScheme')
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const known = chosen === 'light' || chosen === 'dark'
    document.documentElement.dataset.mantineColorScheme = known ? chosen : system
  } catch {
    // Storage is closed to this page: the app chooses by the system's preference a moment later.
  }

  // The scripts of a page that is complete without them wait in a template until there is something to see: on a slow line
  // they would come instead of its styles, its font and its picture.
  const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
  const painted = new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    // For browsers that tell pages no times.
    addEventListener('load', () => setTimeout(resolve, 1000))
  })
  void Promise.all([parsed, painted]).then(() => {
    const scripts = document.getElementById('scripts')?.content
    if (!scripts) return
    // After pictures that are visible by now.
    for (const link of scripts.children) link.fetchPriority = 'low'
    document.head.append(scripts)
  })

  // Links and forms work without them. What only they answer is answered when they have come (web/site/frame/frame.tsx).
  const waiting = new Map()
  const answered = { click: 'button[type="button"]', change: 'select', focusin: 'input' }
  const remember = ({ type, target }) => {
    const field = target.closest?.(answered[type])
    if (field) waiting.set(type, field)
  }
  for (const type of Object.keys(answered)) addEventListener(type, remember, true)
  addEventListener('alive', () => {
    for (const type of Object.keys(answered)) removeEventListener(type, remember, true)
    for (const [type, field] of waiting) field.dispatchEvent(new Event(type, { bubbles: true }))
  })
}
