import type { JobDetail } from '#contract/automation.ts'

type Step = JobDetail['timeline'][number]

/** Each status with how long it lasted; the last one lasts still. */
export function timelineSteps(timeline: readonly Step[]): (Step & { lasted: string | undefined })[] {
  return timeline.map((step, place) => {
    const next = timeline[place + 1]
    return { ...step, lasted: next && spanInWords(Date.parse(next.at) - Date.parse(step.at)) }
  })
}

/** "40 ms", "3.2 s", "2 min 5 s", "1 h 4 min". */
export function spanInWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60).toLocaleString('en-US')} h ${minutes % 60} min`
}
