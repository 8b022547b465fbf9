/* One way of reading a file in a process of its own, whose memory then is that of the reading: prints what it took, as JSON. */
import { peakMemoryOf } from '#tests/support/installation.ts'
import { benchCsvParse, benchReadCheck } from './read-check.ts'
import { knownNames, mappingOf, openFile, readAsBrowser, readMessy, sampleRows } from './read-messy.ts'

type Took = { rows: number; ms: number; cpuMs: number }

// One look at a few hundred rows is over before the program is warm: what people wait for is that first one.
const ways: Record<string, (path: string) => Promise<Took>> = {
  'csv-parse': benchCsvParse,
  'read-check': benchReadCheck,
  messy: async (path) => {
    const known = knownNames()
    return timed(() => readMessy(path, known))
  },
  browser: (path) => timed(() => readAsBrowser(path)),
  suggest: async (path) => {
    const known = knownNames()
    const source = await openFile(path)
    const rows = await sampleRows(source)
    return timed(async () => Object.keys(mappingOf(source.header, rows, known)).length)
  },
}

async function timed(read: () => Promise<number>): Promise<Took> {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const rows = await read()
  const { user, system } = process.cpuUsage(cpu)
  return { rows, ms: performance.now() - began, cpuMs: (user + system) / 1_000 }
}

const [how = '', path = ''] = process.argv.slice(2)
const way = ways[how]
if (!way) throw new Error(`there is no way to read called ${how}`)
console.log(JSON.stringify({ ...(await way(path)), memory: peakMemoryOf(process.pid) }))
