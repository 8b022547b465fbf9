/* `npm run chaos -- start [rounds]`, `-- import [--seeds 30] …`, `-- wizard [--seeds 5] …`, `-- jobs [--seed 1] …`, `-- tests`: what stands in the files named so. */

const [what, ...args] = process.argv.slice(2)

async function run(): Promise<boolean> {
  if (what === 'start') return (await import('./chaos-start.ts')).chaosStart(Number(args[0] ?? 20))
  if (what === 'import') return (await import('./chaos-import.ts')).chaosImport(args)
  if (what === 'wizard') return (await import('./chaos-wizard.ts')).chaosWizard(args)
  if (what === 'jobs') return (await import('./chaos-jobs.ts')).chaosJobs(args)
  if (what === 'tests') return (await import('./chaos-tests.ts')).chaosTests()
  console.error(
    'Usage: npm run chaos -- start [rounds] | import [--seeds 30] [--rows 10000] [--chunks 10] | ' +
      'wizard [--seeds 5] [--rows 10000] | jobs [--seed 1] [--jobs 1000] | tests',
  )
  return false
}

process.exit((await run()) ? 0 : 1)
