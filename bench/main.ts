/* `npm run bench -- ingest [--rows 10000,100000,1000000]`, `npm run bench -- fairness [--rows 1000000]`. */

const [what, ...args] = process.argv.slice(2)

async function run(): Promise<boolean> {
  if (what === 'ingest') return (await import('./ingest.ts')).benchIngest(args)
  if (what === 'fairness') return (await import('./fairness.ts')).benchFairness(args)
  console.error('Usage: npm run bench -- ingest [--rows 10000,100000,1000000] | fairness [--rows 1000000]')
  return false
}

process.exit((await run()) ? 0 : 1)
