/* Reads one file in one way and prints what it took, as JSON: the process that `read-alone.ts` starts. */
import { peakMemoryOf } from '#tests/support/installation.ts'
import { benchCsvParse, benchReadCheck } from './read-check.ts'

const [how, path = ''] = process.argv.slice(2)
const { ms, cpuMs } = await (how === 'csv-parse' ? benchCsvParse(path) : benchReadCheck(path))
console.log(JSON.stringify({ ms, cpuMs, memory: peakMemoryOf(process.pid) }))
