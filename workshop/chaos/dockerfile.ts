import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'

/** One line of a Dockerfile, continuation lines joined: `COPY`, and what follows it. */
type Instruction = { readonly word: string; readonly rest: string }

/** What begins with a FROM. */
export type Stage = {
  readonly name: string | undefined
  readonly image: string
  readonly steps: readonly Instruction[]
}

/** Reads the stages of a Dockerfile. @throws Error at an instruction that `npm run chaos -- container` could not follow */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { name: string | undefined; image: string; steps: Instruction[] }[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    const stage = stages.at(-1)
    if (word === 'FROM') {
      const [, image = '', name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ image, name, steps: [] })
    } else if (stage && KNOWN.has(word)) stage.steps.push({ word, rest })
    else throw new Error(`The Dockerfile has a line that nothing here understands: ${line}`)
  }
  return stages
}

const KNOWN = new Set([
  ...['WORKDIR', 'COPY', 'RUN', 'ARG', 'ENV', 'USER', 'EXPOSE', 'VOLUME'],
  ...['HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
])

/** The last instruction with this word, or an empty text. */
export function lastOf(stage: Stage, word: string): string {
  return stage.steps.findLast((step) => step.word === word)?.rest ?? ''
}

/** The words of an instruction in its JSON form: `["node", "server/main.ts"]`. */
export function wordsOf(json: string): string[] {
  return JSON.parse(json.slice(json.indexOf('[')))
}

/** The variables of all ENV lines; those that refer to a build argument are empty. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = stage.steps.filter(({ word }) => word === 'ENV').flatMap(({ rest }) => rest.split(/\s+/))
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [name, value.startsWith('$') ? '' : value]
    }),
  )
}

/** Whether a path of this repository reaches the build, by `.dockerignore`: the last pattern that matches decides. */
export function readContext(root: string): (path: string) => boolean {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: line.replace(/^!/, '') }))
  const matches = (path: string, pattern: string) =>
    pattern === '*' || matchesGlob(path, pattern) || path.startsWith(`${pattern}/`)
  return (path) => patterns.findLast(({ pattern }) => matches(path, pattern))?.keeps ?? true
}
