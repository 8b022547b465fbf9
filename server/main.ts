import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Most of a second start would be compiling the same files again (0.2 of 0.5 s a process). It has to be on before they
// are imported, so nothing may be imported above.
enableCompileCache(join(import.meta.dirname, '../.cache/compiled'))
const { runCommandLine } = await import('#server/commands/command-line.ts')
await runCommandLine(process.argv.slice(2))
