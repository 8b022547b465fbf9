/* The script of the trial, started by its worker as any other: `node jobs-script.ts --no=1 --steps=3 --ms=200`. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { trialQueues } from './jobs-queues.ts'

// As server/main.ts does: before the rest is imported.
enableCompileCache(join(import.meta.dirname, '../../.cache/compiled'))
const { joinSupervisor, SUPERVISED } = await import('#server/platform/processes/supervisor-link.ts')
const { openFileStore } = await import('#server/platform/files/open-file-store.ts')
const { serveScript } = await import('#server/platform/scripts/serve-script.ts')
const { takeSteps } = await import('./jobs-steps.ts')

const settings = await joinSupervisor()
const whole = (label: string) => ({ kind: 'number', label, least: 0 }) as const
const definition = {
  name: 'trial',
  scriptId: 'trial',
  queue: trialQueues.script.name,
  source: 'live',
  summary: '',
  instructions: [],
  resumable: true,
  flags: { no: whole('No'), steps: whole('Steps'), ms: whole('Ms') },
} as const

try {
  await serveScript(
    {
      definition,
      work: async (run) => {
        const say = async (line: string) => console.log(line)
        await takeSteps({ ...run, say }, trialQueues.script.payload.parse(run.flags))
        return undefined
      },
    },
    process.argv.slice(2).filter((word) => word !== SUPERVISED),
    {
      databaseUrl: settings.DATABASE_URL ?? '',
      files: await openFileStore({ kind: 'fs', dir: settings.DATA_DIR ?? '' }),
      openai: { apiKey: undefined, baseUrl: undefined },
    },
  )
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}
