import { type WebVital, type webVitalEndpoints, webVitals } from '#contract/site.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { VitalsMeter } from './vitals-meter.ts'

export function webVitalRoutes(meter: VitalsMeter): Handlers<typeof webVitalEndpoints> {
  return {
    async reportWebVital({ body }) {
      const { name, value } = await body()
      if (isKnown(name)) meter.count(name, value)
      return { ok: true }
    },
  }
}

// Metric labels must never contain text from outside.
const isKnown = (name: string): name is WebVital => (webVitals as readonly string[]).includes(name)
