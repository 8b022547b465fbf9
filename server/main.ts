import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Saves 0.2 of the 0.5 s that each process takes to start. It must be enabled before the imports it caches, so none of
// our modules may be imported above this line.
enableCompileCache(join(import.meta.dirname, '../.cache/compiled'))
const { runCommandLine } = await import('#server/commands/command-line.ts')
await runCommandLine(process.argv.slice(2))
