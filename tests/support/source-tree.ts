import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

interface Import {
  /** Path from the project's root (`server/app.ts`), or a package's name as written (`node:fs`, `zod`). */
  target: string
  /** As it stands in the file. */
  written: string
  typeOnly: boolean
  /** `import()`, when the code gets there. */
  isDynamic: boolean
}

export interface SourceFile {
  path: string
  text: string
  imports: Import[]
}

const ROOT = join(import.meta.dirname, '../..')
const KEPT = '{ts,tsx,cjs,css,html,sql,md,json,yml,yaml,sh}'
const PLACES = [
  `{contract,db,server,web,tests,workshop,scripts,docs,.ci}/**/*.${KEPT}`,
  `*.${KEPT}`,
  '.ci/*',
  '.env*',
  'Dockerfile',
]

/** Everything people wrote in this checkout: code, queries, styles, settings and papers. */
export function readSourceTree(): SourceFile[] {
  const paths = globSync(PLACES, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] })
  return [...new Set(paths)]
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')))
}

export function sourceFile(path: string, text: string): SourceFile {
  const isCode = /\.(ts|tsx|cjs)$/.test(path)
  return { path, text, imports: isCode ? importsOf(path, text) : [] }
}

// `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`. What comes between may span lines, but holds
// no quote and no semicolon, so that one statement is never joined with the next.
const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, typeOnly, from, bare, dynamic]) => {
    const written = from ?? bare ?? dynamic ?? ''
    return {
      written,
      target: resolveImport(path, written),
      typeOnly: typeOnly !== undefined,
      isDynamic: dynamic !== undefined,
    }
  })
}

function resolveImport(path: string, written: string): string {
  if (written.startsWith('#')) return written.slice(1)
  return written.startsWith('.') ? posix.join(posix.dirname(path), written) : written
}

/** The files that are loaded with one. Types vanish, so only imports of values are followed. */
export function reachedFrom(tree: readonly SourceFile[], entry: string): ReadonlySet<string> {
  const files = new Map(tree.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path)
    // A package.
    if (!file || reached.has(path)) continue
    reached.add(path)
    for (const { target, typeOnly, written } of file.imports) {
      if (!typeOnly && !importsTypesOnly(file.text, written)) waiting.push(target)
    }
  }
  return reached
}

/** `import { type A, type B } from …` */
function importsTypesOnly(text: string, written: string): boolean {
  const names = [...text.matchAll(/^(?:import|export)\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/gm)].filter(
    ([, , from]) => from === written,
  )
  const all = names.flatMap(([, list = '']) => list.split(',').map((name) => name.trim())).filter(Boolean)
  return all.length > 0 && all.every((name) => name.startsWith('type '))
}
