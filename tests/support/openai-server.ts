import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the server does with a request. */
export type OpenAiReply =
  /** A good answer; objects are sent as the JSON text of the message. */
  | { kind: 'answer'; content: unknown; usage?: { input: number; output: number } | 'none'; finish?: string }
  | { kind: 'refusal'; words: string }
  | {
      kind: 'error'
      status: number
      code?: string
      param?: string
      message?: string
      headers?: Record<string, string>
    }
  /** A proxy's page instead of the API's JSON. */
  | { kind: 'page'; status: number }
  /** Good headers, half an answer, and the connection ends. */
  | { kind: 'cut' }
  /** Waits before it goes on; forever for a client that gives up first. */
  | { kind: 'slow'; ms: number; after: OpenAiReply }

export type OpenAiRequest = {
  readonly model: string
  readonly messages: readonly { role: string; content: string }[]
  readonly max_completion_tokens?: number
  readonly seed?: number
  readonly temperature?: number
  readonly store?: boolean
  readonly tools?: unknown
  readonly response_format?: {
    type: string
    json_schema?: {
      strict?: boolean
      schema: { required?: string[]; properties?: object; additionalProperties?: boolean }
    }
  }
}

export type OpenAiServer = {
  /** For OPENAI_BASE_URL. */
  readonly url: string
  readonly requests: OpenAiRequest[]
  /** Answers for the next requests, in order; afterwards `otherwise` decides. */
  readonly next: OpenAiReply[]
  /** How many answers are waited for at this moment. */
  underWay(): number
  close(): Promise<void>
}

export const OPENAI_KEY = 'sk-test-of-this-suite'
const MODELS = ['gpt-4o', 'gpt-3.5-turbo', 'gpt-5-mini']

/** A server on this machine that speaks the part of OpenAI's API that the SDK uses for us, and refuses what OpenAI does. */
export async function startOpenAiServer(
  otherwise: (request: OpenAiRequest) => OpenAiReply = () => ({ kind: 'error', status: 500 }),
): Promise<OpenAiServer> {
  const requests: OpenAiRequest[] = []
  const next: OpenAiReply[] = []
  let underWay = 0
  const server = createServer((request, response) => {
    underWay += 1
    response.on('close', () => {
      underWay -= 1
    })
    receive(request, response).catch(() => response.destroy())
  })

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as OpenAiRequest
    const wrong = wrongRequest(request, body)
    if (wrong) return send(response, body, wrong)
    requests.push(body)
    await send(response, body, next.shift() ?? otherwise(body))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    next,
    underWay: () => underWay,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the real API refuses, as far as we could get it wrong. */
function wrongRequest(
  { url, method, headers }: IncomingMessage,
  body: OpenAiRequest,
): OpenAiReply | undefined {
  const refuse = (status: number, code: string): OpenAiReply => ({ kind: 'error', status, code })
  if (method !== 'POST' || url !== '/v1/chat/completions') return refuse(404, 'unknown_url')
  if (headers.authorization !== `Bearer ${OPENAI_KEY}`) return refuse(401, 'invalid_api_key')
  if (!MODELS.includes(body.model)) {
    const message = `The model \`${body.model}\` does not exist or you do not have access to it.`
    return { kind: 'error', status: 404, code: 'model_not_found', message }
  }
  if (body.model === 'gpt-5-mini' && body.temperature !== undefined) {
    const message = "Unsupported value: 'temperature' does not support 0.6 with this model."
    return { kind: 'error', status: 400, code: 'unsupported_value', param: 'temperature', message }
  }
  return wrongFormat(body)
}

function wrongFormat(body: OpenAiRequest): OpenAiReply | undefined {
  const refuse = (code: string): OpenAiReply => ({ kind: 'error', status: 400, code })
  const format = body.response_format
  if (format?.type === 'json_schema') {
    // The older model knows no schemas; a strict one names all its fields and allows no other.
    if (body.model === 'gpt-3.5-turbo') return refuse('unsupported_value')
    const { strict, schema } = format.json_schema ?? { schema: {} }
    const fields = Object.keys(schema.properties ?? {})
    const isWhole = fields.every((field) => schema.required?.includes(field))
    if (!strict || schema.additionalProperties !== false || !isWhole) return refuse('invalid_json_schema')
  }
  const isAsked = body.messages.some(({ content }) => /json/i.test(content))
  return format?.type === 'json_object' && !isAsked ? refuse('invalid_request_error') : undefined
}

async function send(response: ServerResponse, request: OpenAiRequest, reply: OpenAiReply): Promise<void> {
  if (reply.kind === 'slow') {
    await sleep(reply.ms, undefined, { ref: false })
    return send(response, request, reply.after)
  }
  if (reply.kind === 'page') {
    response.writeHead(reply.status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>')
  } else if (reply.kind === 'error') {
    const { message = 'As the test wants it', param = null, code = null } = reply
    const error = { message, type: 'error', param, code }
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(JSON.stringify({ error }))
  } else if (reply.kind === 'cut') {
    const whole = JSON.stringify(completion(request, { kind: 'answer', content: { text: 'half' } }))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
    response.write(whole.slice(0, whole.length / 2), () => response.destroy())
  } else {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(completion(request, reply)))
  }
}

type Said = Extract<OpenAiReply, { kind: 'answer' | 'refusal' }>

function completion({ model }: OpenAiRequest, reply: Said): object {
  const isRefusal = reply.kind === 'refusal'
  const usage = isRefusal ? undefined : reply.usage
  const { input, output } = typeof usage === 'object' ? usage : { input: 600, output: 200 }
  return {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 1_767_225_600,
    model,
    choices: [
      {
        index: 0,
        finish_reason: isRefusal ? 'stop' : (reply.finish ?? 'stop'),
        logprobs: null,
        message: {
          role: 'assistant',
          content: isRefusal ? null : contentText(reply.content),
          refusal: isRefusal ? reply.words : null,
        },
      },
    ],
    ...(usage !== 'none' && {
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  }
}

const contentText = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content))
