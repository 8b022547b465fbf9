/* The shortest script: what it takes to run one is all that there is to it. Started by a worker as any other. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// As server/main.ts does: before the rest is imported.
enableCompileCache(join(import.meta.dirname, '../.cache/compiled'))
const { joinSupervisor } = await import('#server/platform/processes/supervisor-link.ts')
const { openFileStore } = await import('#server/platform/files/open-file-store.ts')
const { serveScript } = await import('#server/platform/scripts/serve-script.ts')

const settings = await joinSupervisor()
const definition = {
  name: 'shortest',
  scriptId: 'shortest',
  queue: '',
  source: 'live',
  summary: '',
  instructions: [],
  resumable: true,
  flags: {},
} as const
await serveScript({ definition, work: async () => undefined }, [], {
  databaseUrl: settings.DATABASE_URL ?? '',
  files: await openFileStore({ kind: 'fs', dir: settings.DATA_DIR ?? '' }),
  openai: { apiKey: undefined, baseUrl: undefined },
})
process.exit(0)
