import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Refusal } from './refusal.ts'

/** Asks at the terminal; what is typed is not shown. The question goes to stderr, so that stdout can be a file. */
export async function askSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await terminal.question('')
  } catch (error) {
    throw new Refusal('Stopped. Nothing was changed.', { cause: error })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** The first line of what is piped in; blanks belong to it, only the end of the line does not. */
export async function readSecretLine(input: AsyncIterable<Buffer | string> = process.stdin): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}
