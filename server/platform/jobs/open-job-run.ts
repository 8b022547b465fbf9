import type { Db } from '#server/platform/database.ts'
import type { EventWriter } from './event-writer.ts'
import type { Claim } from './job-claims.ts'
import type { JobRun } from './job-definition.ts'
import type { RunDialogue } from './run-dialogue.ts'
import { holdFence, inFence, storeCheckpoint } from './run-fence.ts'

/** What the handler gets to see of its run. */
export function openJobRun(
  claim: Claim,
  around: {
    db: Db
    events: EventWriter
    dialogue: Pick<RunDialogue, 'ask' | 'onInput'>
    signal: AbortSignal
  },
): JobRun<unknown> {
  const { db, events, dialogue, signal } = around
  const withFence = async <T>(work: (trx: Db) => Promise<T>): Promise<T> => {
    const release = events.hold()
    try {
      return await inFence(db, claim, work)
    } finally {
      release()
    }
  }
  return {
    jobId: claim.jobId,
    runNo: claim.runNo,
    payload: claim.payload,
    checkpoint: claim.checkpoint,
    lastAttempt: claim.attempts + 1 >= claim.maxAttempts,
    signal,
    log: (lines, stream = 'stdout') => events.log(typeof lines === 'string' ? [lines] : lines, stream),
    progress: (progress) => events.progress(progress),
    ask: (question) => dialogue.ask(question),
    onInput: (listener) => dialogue.onInput(listener),
    saveCheckpoint: (checkpoint, trx = db) => storeCheckpoint(trx, claim, checkpoint),
    fence: (trx) => holdFence(trx, claim),
    withFence,
  }
}
