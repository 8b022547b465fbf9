/* The shortest script: all it takes is what it takes to run one. Started by a worker as any other. */
import { serveSmallScript } from '#tests/support/small-script.ts'

await serveSmallScript({ name: 'shortest', flags: {} }, async () => undefined)
