import { posix } from 'node:path'
import { reachedFrom, readSourceTree, type SourceFile } from '#tests/support/source-tree.ts'

/*
 * How far one has to read: `node workshop/reach.ts createPart` counts the files that are loaded with the handler of a
 * call, `node workshop/reach.ts web/site/page.tsx` those loaded with a file (`--list` names them), and
 * `node workshop/reach.ts --lines web/components` the lines of each folder without tests. Types vanish when the program
 * runs, so only imports of values count.
 */

const options = process.argv.filter((one) => one.startsWith('--'))
const names = process.argv.slice(2).filter((one) => !one.startsWith('--'))
const tree = readSourceTree()

function printReach(name: string): void {
  const reached = name.includes('/') ? reachedFrom(tree, name) : reachedFromCall(name)
  if (options.includes('--list')) for (const path of [...reached].sort()) console.log(path)
  const inServer = [...reached].filter((path) => path.startsWith('server/')).length
  console.log(`${name}: ${reached.size} files${inServer > 0 ? `, ${inServer} of them in server` : ''}`)
}

/** The file of a call's handler, and what is loaded with the names that the handler uses. */
function reachedFromCall(call: string): Set<string> {
  const handler = new RegExp(`^ +(?:async )?${call}\\b *[(:].*(?:\\{|=>|,)$`, 'm')
  const file = tree.find(
    ({ path, text }) => /routes\.ts$/.test(path) && path.startsWith('server/') && handler.test(text),
  )
  if (!file) throw new Error(`No file of routes has a handler for ${call}`)
  const start = handler.exec(file.text)?.index ?? 0
  const used = namesUsed(file.text, blockAt(file.text, start))
  const reached = new Set([file.path])
  for (const target of targetsOf(file, used)) {
    for (const path of reachedFrom(tree, target)) reached.add(path)
  }
  return reached
}

/** From the line at `start` to the line that closes it, by indentation: the formatter sees to that. */
function blockAt(text: string, start: number): string {
  const [first = '', ...rest] = text.slice(start).replace(/^\n/, '').split('\n')
  const indent = /^ */.exec(first)?.[0].length ?? 0
  const end = rest.findIndex((line) => line.trim() !== '' && (/^ */.exec(line)?.[0].length ?? 0) <= indent)
  const isOneLine = end >= 0 && !/^[ ]*[})\]]/.test(rest[end] ?? '')
  return [first, ...rest.slice(0, isOneLine ? end : end + 1)].join('\n')
}

const wordsOf = (text: string) => new Set(text.replace(/^\s*(\/\/|\*).*$/gm, '').match(/[A-Za-z_$][\w$]*/g))

/** The words of a block and of every function or constant of its own file that it uses. */
function namesUsed(text: string, block: string): Set<string> {
  const own = new Map(
    [...text.matchAll(/^ *(?:export )?(?:async )?(?:function|const|class) (\w+)/gm)].map(
      ({ 1: name = '', index }) => [name, blockAt(text, index)],
    ),
  )
  const used = wordsOf(block)
  for (const word of used) {
    const body = own.get(word)
    if (body !== undefined && !body.includes(block)) for (const next of wordsOf(body)) used.add(next)
  }
  return used
}

/** The files from which a file imports these values. */
function targetsOf({ text, imports }: SourceFile, used: ReadonlySet<string>): string[] {
  const lists = [...text.matchAll(/^import\s+\{([^}]*)\}\s+from\s+['"]([^'"]+)['"]/gm)]
  return imports
    .filter(
      ({ written, typeOnly }) =>
        !typeOnly && lists.some(([, list = '', from]) => from === written && takes(list, used)),
    )
    .map(({ target }) => target)
}

const takes = (list: string, used: ReadonlySet<string>): boolean =>
  list.split(',').some((one) => !/^\s*type /.test(one) && used.has(/(\w+)\s*$/.exec(one)?.[1] ?? ''))

function printLines(folder: string): void {
  const counts = new Map<string, { files: number; lines: number }>()
  for (const { path, text } of tree) {
    if (!path.startsWith(`${folder}/`) || !/\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) continue
    const of = posix.dirname(path)
    const { files, lines } = counts.get(of) ?? { files: 0, lines: 0 }
    counts.set(of, { files: files + 1, lines: lines + text.trimEnd().split('\n').length })
  }
  for (const [of, { files, lines }] of counts) console.log(`${lines} lines, ${files} files: ${of}`)
  const sum = [...counts.values()].reduce((total, { lines }) => total + lines, 0)
  console.log(`${sum} lines: ${folder} with its folders`)
}

if (names.length === 0) {
  console.error('Usage: node workshop/reach.ts [--list] <call or file> …, or --lines <folder> …')
  process.exit(1)
}
for (const name of names) {
  if (options.includes('--lines')) printLines(name)
  else printReach(name)
}
