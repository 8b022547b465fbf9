import { readSourceTree } from '#tests/support/source-tree.ts'

/*
 * How many files a call reaches: `node scripts/files-reached.ts server/features/search/routes.ts` lists the files that are
 * loaded with this one, and counts them. Types vanish, so only imports of values are followed.
 */

const [entry = ''] = process.argv.slice(2)
const tree = new Map(readSourceTree().map((file) => [file.path, file]))
if (!tree.has(entry)) {
  console.error('Usage: node scripts/files-reached.ts <file, such as server/features/search/routes.ts>')
  process.exit(1)
}

const reached = new Set<string>()
const waiting = [entry]
for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
  const file = tree.get(path)
  // A package.
  if (!file || reached.has(path)) continue
  reached.add(path)
  for (const { target, typeOnly, written } of file.imports) {
    if (!typeOnly && !importsTypesOnly(file.text, written)) waiting.push(target)
  }
}
for (const path of [...reached].sort()) console.log(path)
console.log(`${reached.size} files`)

/** `import { type A, type B } from …` */
function importsTypesOnly(text: string, written: string): boolean {
  const names = [...text.matchAll(/^(?:import|export)\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/gm)].filter(
    ([, , from]) => from === written,
  )
  const all = names.flatMap(([, list = '']) => list.split(',').map((name) => name.trim())).filter(Boolean)
  return all.length > 0 && all.every((name) => name.startsWith('type '))
}
