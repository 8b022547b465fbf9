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

/** `files`: what `-F name=@file` sends, by name. */
export function runCurl(
  api: ApiClient,
  command: string,
  { variables, files }: { variables: Record<string, string>; files: Record<string, string> },
): Promise<Answer<unknown>> {
  const [program, ...words] = wordsOf(command, variables)
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  const headers: Record<string, string> = {}
  let form: FormData | undefined
  let body: string | undefined
  let address: string | undefined
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const value = () => words[++at] ?? ''
    if (word === '-sS' || word === '--fail-with-body') continue
    if (word === '-H') {
      const [, name = '', text = ''] = /^([\w-]+): (.*)$/.exec(value()) ?? []
      headers[name.toLowerCase()] = text
    } else if (word === '-d') body = value()
    else if (word === '-F') {
      form ??= new FormData()
      const [, name = '', text = ''] = /^(\w+)=([\s\S]*)$/.exec(value()) ?? []
      if (text.startsWith('@')) form.append(name, new Blob([files[text.slice(1)] ?? '']), text.slice(1))
      else form.append(name, text)
    } else if (word.startsWith('-') || address !== undefined) throw new Error(`curl ${word} is not known here`)
    else address = word
  }
  const path = address?.split('/api')[1]
  if (path === undefined) throw new Error('a command without an address')
  const content = form ?? body
  return api.send({ method: content === undefined ? 'GET' : 'POST', path, body: content, headers })
}
