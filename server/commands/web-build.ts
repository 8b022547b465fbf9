import { fork } from 'node:child_process'
import { join } from 'node:path'
import { Refusal } from '#server/platform/refusal.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/build-web.ts')

/** Builds the web app if its sources changed; in a process of its own, whose memory is given back afterwards. */
export async function buildWebIfChanged(): Promise<void> {
  const code = await new Promise<number | null>((resolve, reject) => {
    // The channel ends the build when this process is killed.
    const build = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    build.once('error', reject)
    build.once('exit', resolve)
  })
  if (code !== 0) throw new Refusal('The web app could not be built; the reason stands above.')
}
