import { type WebVital, webVitalEndpoints } from '#contract/web-vitals.ts'
import { addressOf } from './client.ts'

// Interactions that took less are not told; 104 ms, which stands without it, leaves out nearly all that are quick.
const SHORTEST_EVENT_MS = 16

// What the browser's types do not tell yet.
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
type Interaction = PerformanceEntry & { interactionId?: number }
type Observed = PerformanceObserverInit & { durationThreshold?: number }

/**
 * Measures how fast this page is for its reader and tells the server once, when it goes out of sight. Where a browser does
 * not measure something, that is left out.
 */
export function reportWebVitals(): void {
  // A page that was opened behind another is painted when its reader turns to it, however fast it was.
  if (document.visibilityState === 'hidden') return
  const measured = new Map<WebVital, number>()
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation) measured.set('TTFB', (navigation as PerformanceNavigationTiming).responseStart)
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') measured.set('FCP', startTime)
  })
  const largest = observe('largest-contentful-paint', ({ startTime }) => measured.set('LCP', startTime))
  // From then on what is painted is an answer to somebody, and no more of the page's coming up.
  for (const type of ['keydown', 'pointerdown']) {
    addEventListener(type, () => largest?.disconnect(), { once: true, capture: true })
  }
  const addInteraction = ({ duration, interactionId }: Interaction) => {
    if (interactionId) measured.set('INP', Math.max(duration, measured.get('INP') ?? 0))
  }
  observe('event', addInteraction)
  // Told however quick it was.
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

/** Goes out even while the page is being left; nobody waits for an answer. */
function beacon(name: WebVital, value: number): void {
  const body = new Blob([JSON.stringify({ name, value })], { type: 'application/json' })
  navigator.sendBeacon(addressOf(webVitalEndpoints.reportWebVital, {}), body)
}

// One movement of a page comes in several shifts: those that follow within a second belong together, for five at most.
const PAUSE_MS = 1_000
const LONGEST_MS = 5_000

/** Adds up how a page moves under its reader: the answer is the worst movement so far, as browsers count CLS. */
export function shiftScore(): (at: number, value: number) => number {
  let worst = 0
  let current = { from: 0, last: Number.NEGATIVE_INFINITY, sum: 0 }
  return (at, value) => {
    const goesOn = at - current.last < PAUSE_MS && at - current.from < LONGEST_MS
    current = goesOn ? { ...current, last: at, sum: current.sum + value } : { from: at, last: at, sum: value }
    worst = Math.max(worst, current.sum)
    return worst
  }
}
