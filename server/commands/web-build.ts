import { join } from 'node:path'
import { runToEnd } from '#server/platform/processes/run-to-end.ts'
import { Refusal } from '#server/platform/refusal.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/build-web.ts')

/** Builds the web app if its sources changed. */
export async function buildWebIfChanged(): Promise<void> {
  if ((await runToEnd(SCRIPT)) !== 0) {
    throw new Refusal('The web app could not be built; the reason stands above.')
  }
}
