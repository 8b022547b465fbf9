import type { IncomingMessage } from 'node:http'

/** A request that has arrived as a whole. */
export type Exchange = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Where it came from. */
  readonly from: string
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request that is answered by nothing: it waits until whoever asked gives up, or its connection breaks. */
export type NoAnswer = 'hang' | 'break'

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: `${JSON.stringify(body, null, 2)}\n`,
  }
}

export function seeOther(location: string): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
}

// No call that exists here takes more than a few kilobytes.
const LARGEST_BODY = 64 * 1024

/** Undefined for a body that is too large. */
export async function readBody(message: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST_BODY) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
