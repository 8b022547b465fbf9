import type { Flags } from '#contract/scripts.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { inFence, storeCheckpoint } from '#server/platform/jobs/run-fence.ts'
import { askUntilItFits, type Question } from './ask-until-it-fits.ts'
import { leaveArtifact } from './leave-artifact.ts'
import type { ScriptLink } from './script-link.ts'
import type { ScriptStart } from './script-messages.ts'
import type { OpenAiAccess, ScriptRun } from './script-program.ts'
import type { ScriptWords } from './script-words.ts'

type Around = ScriptWords & {
  readonly link: ScriptLink
  readonly signal: AbortSignal
  readonly db: Db
  readonly files: FileStore
  readonly openai: OpenAiAccess
}

/** What a program gets to see of its run. Everything it calls throws once the script was asked to end. */
export function openScriptRun(start: ScriptStart, around: Around): ScriptRun<Flags> {
  const { link, signal, db, files, openai, flags, source } = around
  const key = { jobId: start.jobId, runNo: start.runNo }
  const put = (question: Question) => Promise.race([link.ask(question), rejectOnAbort(signal)])
  return {
    ...key,
    flags,
    source,
    checkpoint: start.checkpoint,
    signal,
    db,
    files,
    openai,
    progress(done, total, note) {
      signal.throwIfAborted()
      link.progress({ done, ...(total !== undefined && { total }), ...(note !== undefined && { note }) })
    },
    async artifact(name, content) {
      signal.throwIfAborted()
      await leaveArtifact({ db, files, run: key }, name, content)
    },
    ask: (name, text) => put({ key: name, text }),
    askFor: (name, text, schema) => askUntilItFits(put, { key: name, text }, schema),
    onInput: (listener) => listenToInput(listener),
    async saveCheckpoint(checkpoint, trx = db) {
      signal.throwIfAborted()
      await storeCheckpoint(trx, key, checkpoint)
    },
    async withFence(work) {
      signal.throwIfAborted()
      return inFence(db, key, work)
    },
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function listenToInput(listener: (line: string) => void): void {
  let rest = ''
  process.stdin.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) listener(line)
  })
}
