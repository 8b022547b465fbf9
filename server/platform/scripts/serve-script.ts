import { isDatabaseDown, openDatabase } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { FenceLost, GiveUp } from '#server/platform/jobs/job-definition.ts'
import { errorInWords } from '#server/platform/jobs/storable-text.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { openScriptRun } from './open-script-run.ts'
import { writeConsoleAtOnce } from './script-console.ts'
import { ScriptLink } from './script-link.ts'
import type { FromScript } from './script-messages.ts'
import { type OpenAiAccess, type ScriptProgram, ScriptRefusal } from './script-program.ts'
import { readScriptWords } from './script-words.ts'

export type ScriptSurroundings = {
  readonly databaseUrl: string
  readonly files: FileStore
  readonly openai: OpenAiAccess
}

// What a script has open at one time beside one another: a page that is read, a page that is written, and a few more for
// `concurrent`. Every script that runs may hold so many.
const POOL_SIZE = 4
// Nobody waits behind these statements; a script reads a million records.
const STATEMENT_TIMEOUT_MS = 120_000

/**
 * Runs a program in this process, which a worker has started for it, and tells the worker how it went.
 * @throws what the program throws, after it was told; a Refusal where that is no defect
 */
export async function serveScript(
  program: ScriptProgram,
  words: readonly string[],
  { databaseUrl, files, openai }: ScriptSurroundings,
): Promise<void> {
  writeConsoleAtOnce()
  const link = new ScriptLink()
  const signal = endSignal()
  const { definition } = program
  const database = openDatabase(databaseUrl, {
    max: POOL_SIZE,
    applicationName: `script ${definition.scriptId}`,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    const told = readScriptWords(definition, words)
    const start = await link.started
    const around = { ...told, link, signal, files, openai, db: database.db }
    const result = await program.work(openScriptRun(start, around))
    await link.end({ type: 'result', value: result ?? null })
  } catch (thrown) {
    // Whatever an abort looks like to what waited (a closed stream, a cancelled sleep), it is no defect.
    const error: unknown = signal.aborted ? signal.reason : thrown
    await link.end({ type: 'error', message: errorInWords(error), kind: kindOf(error) })
    if (!isDefect(error)) throw new Refusal(errorInWords(error))
    throw error
  } finally {
    await database.close()
  }
}

/** Aborted by the signal to end. */
function endSignal(): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort(new ScriptRefusal('The script was asked to end.'))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return controller.signal
}

const isDefect = (error: unknown) =>
  !(
    error instanceof ScriptRefusal ||
    error instanceof GiveUp ||
    error instanceof FenceLost ||
    error instanceof Refusal
  )

function kindOf(error: unknown): Extract<FromScript, { type: 'error' }>['kind'] {
  if (error instanceof FenceLost) return 'fence-lost'
  if (error instanceof GiveUp) return 'give-up'
  return isDatabaseDown(error) ? 'database-down' : 'other'
}
