/* Reads one file in one way and prints what it took: `node read-program.ts <way> <path>`. */
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'csv-parse'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import { printTook } from './programs.ts'
import { knownNames, openFile, readMessy, readYardFile, sampleRows, suggestMapping } from './reading.ts'

/** csv-parse alone, the fastest way its manual shows: every record as an array, and nothing is done with it. */
async function parseAlone(path: string): Promise<number> {
  let rows = -1
  const parser = createReadStream(path).pipe(parse({ relax_quotes: true, relax_column_count: true }))
  parser.on('readable', () => {
    while (parser.read() !== null) rows += 1
  })
  await new Promise((ended, failed) => parser.on('end', ended).on('error', failed))
  return rows
}

const [way, path = ''] = process.argv.slice(2)
const known = way === 'messy' || way === 'suggest' ? knownNames() : undefined
if (way === 'csv-parse') await printTook(() => parseAlone(path))
if (way === 'read-check') await printTook(() => readYardFile(path))
if (way === 'messy' && known) await printTook(() => readMessy(path, known))
if (way === 'browser') {
  // What the browser does with a file that is dropped: it reads all of it once.
  await printTook(async () => {
    const { records } = await readImportFile(new File([await openAsBlob(path)], basename(path)), {})
    return records
  })
}
if (way === 'suggest' && known) {
  const source = await openFile(path)
  const rows = await sampleRows(source)
  // A single look: what people wait for is the first one, before the process is warm.
  await printTook(async () => Object.keys(suggestMapping(source.header, rows, known)).length)
}
