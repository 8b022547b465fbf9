import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { joinSupervisor, SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import type { ScriptProgram } from '#server/platform/scripts/script-program.ts'
import { serveScript } from '#server/platform/scripts/serve-script.ts'

/** Runs a script of a bench or a trial in this process, which a worker has started as any other script. */
export async function serveSmallScript(
  { name, flags }: Pick<ScriptProgram['definition'], 'name' | 'flags'>,
  work: ScriptProgram['work'],
): Promise<void> {
  const { DATABASE_URL: databaseUrl = '', DATA_DIR: dir = '' } = await joinSupervisor()
  const definition = {
    name,
    scriptId: name,
    queue: '',
    source: 'live',
    summary: '',
    instructions: [],
    resumable: true,
    flags,
  } as const
  try {
    await serveScript(
      { definition, work },
      process.argv.slice(2).filter((word) => word !== SUPERVISED),
      {
        databaseUrl,
        files: await openFileStore({ kind: 'fs', dir }),
        openai: { apiKey: undefined, baseUrl: undefined, model: 'gpt-5-mini' },
      },
    )
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}
