import { Histogram, type Registry } from 'prom-client'
import type { WebVital } from '#contract/site.ts'

// Around the limits of good and poor: 0.2 and 0.5 s for the response to a click, 2.5 and 4 s for the largest picture.
const TIME_BUCKETS_S = [0.05, 0.1, 0.2, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 8, 15]
const SHIFT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1]

/** Counts web vitals for `/metrics`. */
export type VitalsMeter = { count(vital: WebVital, value: number): void }

export function vitalsMeter(registry: Registry): VitalsMeter {
  const time = new Histogram({
    name: 'web_vitals_seconds',
    help: 'Page timings in browsers: TTFB, FCP, LCP, and INP for clicks and typing.',
    labelNames: ['vital'],
    buckets: TIME_BUCKETS_S,
    registers: [registry],
  })
  const shift = new Histogram({
    name: 'web_layout_shift',
    help: 'How much page layouts shifted (CLS).',
    buckets: SHIFT_BUCKETS,
    registers: [registry],
  })
  return {
    count(vital, value) {
      if (vital === 'CLS') shift.observe(value)
      else time.observe({ vital }, value / 1000)
    },
  }
}
