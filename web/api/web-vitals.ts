import type { routes } from '#contract/routes.ts'
import type { WebVital } from '#contract/site.ts'

// Not through the contract's client, which every public page would load for it.
const ADDRESS: `/api${(typeof routes)['reportWebVital'][1]}` = '/api/web-vitals'

// Shorter interactions are not reported. The browser's default of 104 ms would hide nearly all of the fast ones.
const SHORTEST_EVENT_MS = 16

// Missing from TypeScript's DOM types.
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
type Interaction = PerformanceEntry & { interactionId?: number }
type Observed = PerformanceObserverInit & { durationThreshold?: number }

/**
 * Measures how fast this page is for its user and reports it once, when the page is hidden. Leaves out what the browser
 * cannot measure.
 */
export function reportWebVitals(): void {
  // A page opened in the background is painted when the user switches to it, however fast it was.
  if (document.visibilityState === 'hidden') return
  const measured = new Map<WebVital, number>()
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation) measured.set('TTFB', (navigation as PerformanceNavigationTiming).responseStart)
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') measured.set('FCP', startTime)
  })
  const largest = observe('largest-contentful-paint', ({ startTime }) => measured.set('LCP', startTime))
  // After the first input, what is painted is a reaction to the user and no longer the page's loading.
  for (const type of ['keydown', 'pointerdown']) {
    addEventListener(type, () => largest?.disconnect(), { once: true, capture: true })
  }
  const addInteraction = ({ duration, interactionId }: Interaction) => {
    if (interactionId) measured.set('INP', Math.max(duration, measured.get('INP') ?? 0))
  }
  observe('event', addInteraction)
  // Reported even if it is shorter than the threshold.
  observe('first-input', addInteraction)
  const addShift = shiftScore()
  observe('layout-shift', ({ startTime, value, hadRecentInput }: Shift) => {
    if (!hadRecentInput) measured.set('CLS', addShift(startTime, value))
  })
  const send = () => {
    if (document.visibilityState !== 'hidden') return
    removeEventListener('visibilitychange', send, true)
    for (const [name, value] of measured) beacon(name, value)
  }
  addEventListener('visibilitychange', send, true)
}

function observe<E extends PerformanceEntry>(
  type: string,
  take: (entry: E) => void,
): PerformanceObserver | undefined {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return undefined
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) take(entry as E)
  })
  const observed: Observed = { type, buffered: true, durationThreshold: SHORTEST_EVENT_MS }
  observer.observe(observed)
  return observer
}

/** Sent even while the page is closing; there is no response. */
function beacon(name: WebVital, value: number): void {
  const body = new Blob([JSON.stringify({ name, value })], { type: 'application/json' })
  navigator.sendBeacon(ADDRESS, body)
}

// Layout shifts less than a second apart count as one movement, for five seconds at most.
const PAUSE_MS = 1_000
const LONGEST_MS = 5_000

/** Adds up layout shifts; returns the worst movement so far, as browsers compute CLS. */
export function shiftScore(): (at: number, value: number) => number {
  let worst = 0
  let current = { from: 0, last: Number.NEGATIVE_INFINITY, sum: 0 }
  return (at, value) => {
    const continues = at - current.last < PAUSE_MS && at - current.from < LONGEST_MS
    current = continues
      ? { ...current, last: at, sum: current.sum + value }
      : { from: at, last: at, sum: value }
    worst = Math.max(worst, current.sum)
    return worst
  }
}
