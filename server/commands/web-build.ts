import { join } from 'node:path'
import { Refusal } from '#server/platform/errors.ts'
import { runToEnd } from '#server/platform/processes/supervised-child.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/build-web.ts')

/** Builds the web app if its sources changed. */
export async function buildWebIfChanged(): Promise<void> {
  if ((await runToEnd(SCRIPT)) !== 0) {
    throw new Refusal('The web app could not be built. See the error above.')
  }
}
