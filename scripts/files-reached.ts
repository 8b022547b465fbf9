import { reachedFrom, readSourceTree } from '#tests/support/source-tree.ts'

/*
 * How many files a call reaches: `node scripts/files-reached.ts server/features/finding/search/page/find-parts.ts` lists the files that
 * are loaded with this one, and counts them.
 */

const [entry = ''] = process.argv.slice(2)
const reached = reachedFrom(readSourceTree(), entry)
if (reached.size === 0) {
  console.error(
    'Usage: node scripts/files-reached.ts <file, such as server/features/finding/search/page/find-parts.ts>',
  )
  process.exit(1)
}
for (const path of [...reached].sort()) console.log(path)
console.log(`${reached.size} files`)
