import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// As server/main.ts does: before anything is imported.
enableCompileCache(join(import.meta.dirname, '../../.cache/compiled'))
const { runBadScript } = await import('./script-programs.ts')
await runBadScript(process.argv.slice(2))
