import type { RunOrder } from './import-run.ts'

/** What makes two runs the same, as a text. A file that was saved again has another time. */
export function runContent(order: RunOrder): string {
  const { file, mapping, defaults, mode, dryRun, chunkSize, edits, staging } = order
  const { name, size, lastModified } = file.file
  const sorted = (entries: object) => Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([
    [name, size, lastModified],
    [sorted(mapping), sorted(defaults), sorted(file.reading), file.decimals],
    [mode, dryRun, chunkSize, staging.sellerSlug, staging.datasetHint],
    edits.size === 0 ? '' : fingerprint(JSON.stringify([...edits].toSorted(([one], [other]) => one - other))),
  ])
}

/** Short, for texts that may be long; two of 32 bits make an accident no matter. */
function fingerprint(text: string): string {
  let one = 0x811c9dc5
  let other = 0xdeadbeef
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x9e3779b1)
    other ^= other >>> 15
  }
  return [one, other, text.length].map((part) => (part >>> 0).toString(36)).join('-')
}
