import type { JsonValue } from '#db/schema.gen.ts'
import { FenceLost, GiveUp } from '#server/platform/jobs/job-definition.ts'
import type { FromScript } from './script-messages.ts'
import type { ScriptEnd } from './script-process.ts'

/** What a script told before it ended. */
export type ScriptSaid = {
  result?: JsonValue
  error?: Extract<FromScript, { type: 'error' }>
}

/** SQLSTATE of a connection that failed: what the engine knows an outage by. */
const CONNECTION_FAILURE = '08006'

const SIGNALS: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: 'was killed (SIGKILL), as the system does where memory runs out',
  SIGABRT: 'gave up (SIGABRT), as Node does where its memory is full',
  SIGSEGV: 'crashed (SIGSEGV)',
  SIGTERM: 'was ended from outside (SIGTERM)',
}

// What Node ends with when nothing is left that a program could wait for.
const WAITS_FOR_NOTHING = 13

/** Why a script did not do its work; undefined where it has. */
export function scriptFailure(end: ScriptEnd, said: ScriptSaid, jobId: string): Error | undefined {
  if (end.code === 0 && 'result' in said) return undefined
  if (said.error) return failureOf(said.error, jobId)
  return new Error(`The script ${endInWords(end)}.`)
}

function endInWords({ code, signal }: ScriptEnd): string {
  if (signal) return SIGNALS[signal] ?? `was ended by ${signal}`
  if (code === 0) return 'ended with status 0 before its work was done'
  if (code === WAITS_FOR_NOTHING) return 'ended with status 13: it waited for something that never came'
  return `ended with status ${code}; its last lines may say why`
}

function failureOf({ message, kind }: Extract<FromScript, { type: 'error' }>, jobId: string): Error {
  switch (kind) {
    case 'fence-lost':
      return new FenceLost(jobId)
    case 'give-up':
      return new GiveUp(message)
    case 'database-down':
      return Object.assign(new Error(message), { code: CONNECTION_FAILURE })
    case 'other':
      return new Error(message)
  }
}
