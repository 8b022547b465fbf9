/*
 * `npm run bench -- ingest [--rows 10000,100000,1000000]`, `npm run bench -- fairness [--rows 1000000]`,
 * `npm run bench -- lists [--rows 10000,1000000] [--only 'word|count'] [--seconds 1]`,
 * `npm run bench -- admin [--rows 1000000] [--seconds 2]`,
 * `npm run bench -- jobs [--jobs 3000] [--rounds 7] [--scripts 20] [--lines 50000]`,
 * `npm run bench -- clean [--rows 1000000]`,
 * `npm run bench -- import [--rows 10000,100000,1000000]`.
 */

const [what, ...args] = process.argv.slice(2)

async function run(): Promise<boolean> {
  if (what === 'ingest') return (await import('./ingest.ts')).benchIngest(args)
  if (what === 'fairness') return (await import('./fairness.ts')).benchFairness(args)
  if (what === 'lists') return (await import('./lists.ts')).benchLists(args)
  if (what === 'admin') return (await import('./admin.ts')).benchAdmin(args)
  if (what === 'jobs') return (await import('./jobs.ts')).benchJobs(args)
  if (what === 'import') return (await import('./import.ts')).benchImport(args)
  if (what === 'clean') return (await import('./clean.ts')).benchClean(args)
  console.error(
    'Usage: npm run bench -- ingest [--rows 10000,100000,1000000] | fairness [--rows 1000000] | ' +
      'lists [--rows 10000,1000000] [--only word] [--seconds 1] | admin [--rows 1000000] [--seconds 2] | ' +
      'jobs [--jobs 3000] [--rounds 7] [--scripts 20] [--lines 50000] | clean [--rows 1000000] | ' +
      'import [--rows 10000,100000,1000000]',
  )
  return false
}

process.exit((await run()) ? 0 : 1)
