import type { Answer, ApiClient } from './api-client.ts'

/*
 * Runs the curl commands of a docs page against the app under test. Not every machine has curl, and the app has no socket
 * here: this reads as much of a shell and of curl as the pages use, and fails on anything else.
 */

/** The commands in the `sh` blocks of a page. */
export function curlCommands(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^(?=curl )/m)
      .map((command) => command.trim())
      .filter(Boolean),
  )
}

/** Words as a shell splits them, with variables filled in outside of single quotes. */
function wordsOf(command: string, variables: Record<string, string>): string[] {
  const filled = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`$${name} is not set`)
      return value
    })
  const words = command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g)
  return [...words].map(([word]) =>
    word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"]+)/g, (_, single, double, plain) =>
      single !== undefined ? single : filled((double ?? plain).replaceAll(/\\(.)/g, '$1')),
    ),
  )
}

type Request = {
  address: string
  headers: Record<string, string>
  parts: [name: string, text: string][]
  body?: string
}

/** What each option does with the word after it. */
const OPTIONS: Record<string, (request: Request, word: string) => void> = {
  '-H': ({ headers }, word) => {
    const [, name = '', text = ''] = /^([\w-]+): (.*)$/.exec(word) ?? []
    headers[name.toLowerCase()] = text
  },
  '-F': ({ parts }, word) => {
    const [, name = '', text = ''] = /^(\w+)=([\s\S]*)$/.exec(word) ?? []
    parts.push([name, text])
  },
  '-d': (request, word) => {
    request.body = word
  },
}
const IGNORED = ['-sS', '--fail-with-body']

function readRequest([program, ...words]: string[]): Request {
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  const request: Request = { address: '', headers: {}, parts: [] }
  const rest = words.filter((word) => !IGNORED.includes(word))
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const option = OPTIONS[word]
    if (option) option(request, rest.shift() ?? '')
    else if (word.startsWith('-') || request.address !== '') throw new Error(`curl ${word} is not known here`)
    else request.address = word
  }
  return request
}

/** `files`: what `-F name=@file` sends, by name. */
export function runCurl(
  api: ApiClient,
  command: string,
  {
    variables,
    files,
  }: {
    variables: Record<string, string>
    files: Record<string, ConstructorParameters<typeof Blob>[0][number]>
  },
): Promise<Answer<unknown>> {
  const { address, headers, parts, body } = readRequest(wordsOf(command, variables))
  const [, path] = address.split('/api')
  if (path === undefined) throw new Error('a command without an address')
  const form = new FormData()
  for (const [name, text] of parts) {
    if (text.startsWith('@')) form.append(name, new Blob([files[text.slice(1)] ?? '']), text.slice(1))
    else form.append(name, text)
  }
  const content = parts.length > 0 ? form : body
  return api.send({ method: content === undefined ? 'GET' : 'POST', path, body: content, headers })
}
