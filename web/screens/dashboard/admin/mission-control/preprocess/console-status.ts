import type { JobStatus } from '#contract/automation.ts'

/** What the console does by itself; everything else its status line takes from the stream. */
export type ConsoleStep = 'none' | 'enqueueing' | 'not-enqueued' | 'cancel-requested' | 'cleared'

export type ConsolePhase = 'idle' | 'connecting' | 'streaming' | 'polling' | 'not-opened' | 'ended'

export type ConsoleFacts = {
  step: ConsoleStep
  phase: ConsolePhase
  jobStatus: JobStatus | undefined
}

/** The spec's words for the status line, with the colour of its dot. */
export function statusLine({ step, phase, jobStatus }: ConsoleFacts): { text: string; tone?: string } {
  switch (step) {
    case 'enqueueing':
      return { text: 'Enqueueing job…', tone: 'sea' }
    case 'not-enqueued':
      return { text: 'Failed to enqueue job', tone: 'bad' }
    case 'cleared':
      return { text: 'Console cleared' }
    case 'cancel-requested':
      return phase === 'ended' ? endLine(jobStatus, true) : { text: 'Cancel requested', tone: 'warning' }
    case 'none':
      return phase === 'ended' ? endLine(jobStatus, false) : phases[phase]
  }
}

const phases = {
  idle: { text: 'Stream inactive' },
  connecting: { text: 'Connecting…', tone: 'sea' },
  streaming: { text: 'Streaming…', tone: 'sea' },
  polling: { text: 'Polling for logs…', tone: 'warning' },
  'not-opened': { text: 'Failed to open stream', tone: 'bad' },
} as const

/** A job that was stopped from here stopped its stream; one that somebody else stopped just ended. */
function endLine(jobStatus: JobStatus | undefined, stoppedHere: boolean): { text: string; tone?: string } {
  if (jobStatus === 'completed') return { text: 'Job completed', tone: 'good' }
  if (jobStatus === 'failed') return { text: 'Job failed', tone: 'bad' }
  return { text: stoppedHere ? 'Stream stopped' : 'Stream ended' }
}
