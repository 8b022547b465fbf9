/* One command for each number that README.md publishes. Exits with 1 when a target was missed. */

const benches: Readonly<Record<string, (args: string[]) => Promise<boolean>>> = {
  ingest: async (args) => (await import('./ingest.ts')).benchIngest(args),
  import: async (args) => (await import('./import.ts')).benchImport(args),
  fairness: async (args) => (await import('./fairness.ts')).benchFairness(args),
  lists: async (args) => (await import('./lists.ts')).benchLists(args),
  writes: async (args) => (await import('./writes.ts')).benchWrites(args),
  admin: async (args) => (await import('./admin.ts')).benchAdmin(args),
  jobs: async (args) => (await import('./jobs.ts')).benchJobs(args),
  clean: async (args) => (await import('./clean.ts')).benchClean(args),
  wanted: async (args) => (await import('./wanted.ts')).benchWanted(args),
  backup: async (args) => (await import('./backup.ts')).benchBackup(args),
  vin: async () => (await import('./vin.ts')).benchVin(),
  stocks: async (args) => (await import('./stocks.ts')).benchStocks(args),
  orders: async (args) => (await import('./orders.ts')).benchOrders(args),
  lighthouse: async (args) => (await import('./lighthouse.ts')).benchLighthouse(args),
  judge: async (args) => (await import('./judge.ts')).benchJudge(args),
}

const USAGE = `Usage: npm run bench -- <number> [options]
  ingest [--rows 10000,100000,1000000]
  import [--rows 10000,100000,1000000]
  fairness [--rows 1000000]
  lists [--rows 10000,100000,1000000] [--only 'word|count'] [--seconds 1]
  writes [--rows 100000] [--imported 100000] [--seconds 10] [--rest 60] [--only 'HTML|JSON|export']
  admin [--rows 1000000] [--seconds 2]
  jobs [--jobs 3000] [--rounds 7] [--scripts 20] [--lines 50000]
  clean [--rows 1000000]
  wanted [--listings 1000000] [--searches 100000] [--rows 100000]
  backup [--listings 100000,1000000]
  vin
  stocks --folder /path/to/stocks [--only name] [--rates MXN=0.05] [--days 3]
  orders [--parts 900] [--rounds 4] [--seconds 15] [--pages 40] [--rate 2]
  lighthouse [--at http://127.0.0.1:3000]
  judge [--at http://127.0.0.1:3000]`

const [name = '', ...args] = process.argv.slice(2)
const bench = benches[name]
if (!bench) console.error(USAGE)
process.exit((await bench?.(args)) ? 0 : 1)
