import type { ScriptId } from '#contract/admin/scripts.ts'
import type { Config } from '#server/config.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import type { ScriptProgram } from '#server/platform/scripts/script-program.ts'
import { serveScript } from '#server/platform/scripts/serve-script.ts'

/** The program of each script in contract/admin/scripts.ts; only the one that runs is imported. */
const PROGRAMS: Record<ScriptId, () => Promise<ScriptProgram>> = {
  'self-check': async () => (await import('#server/scripts/self-check.ts')).selfCheck,
  'h1-optimizer': async () => (await import('#server/scripts/text-optimizers.ts')).h1Optimizer,
  'description-optimizer': async () =>
    (await import('#server/scripts/text-optimizers.ts')).descriptionOptimizer,
  'internal-linking': async () => (await import('#server/scripts/internal-linking.ts')).internalLinking,
  'naming-optimizer': async () => (await import('#server/scripts/naming-optimizer.ts')).namingOptimizer,
  'product-page-category': async () =>
    (await import('#server/scripts/product-page-category.ts')).productPageCategory,
}

/**
 * Runs a script for the worker that started this process: `run-script <script> --flag=value …`.
 * @throws whatever makes the script fail
 */
export async function runScript(config: Config, _log: Log, args: readonly string[]): Promise<void> {
  const [scriptId = '', ...words] = args
  const program = await loadScript(scriptId)
  const { databaseUrl, storage, openai } = config
  if (!process.connected || !databaseUrl) {
    throw new Refusal('Scripts run as jobs in a worker. Enqueue it in Mission Control.')
  }
  await serveScript(program, words, { databaseUrl, openai, files: await openFileStore(storage) })
}

/** @throws Refusal if there is no such script */
export async function loadScript(scriptId: string): Promise<ScriptProgram> {
  if (!isScript(scriptId)) throw new Refusal(`There is no script "${scriptId}".`)
  return PROGRAMS[scriptId]()
}

const isScript = (scriptId: string): scriptId is ScriptId => Object.hasOwn(PROGRAMS, scriptId)
