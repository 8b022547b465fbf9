import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type ReceivedWebhook = { readonly body: string; readonly headers: IncomingHttpHeaders }

export type WebhookReceiver = {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** What the next deliveries are answered with; 200 after that. */
  readonly answers: number[]
  close(): Promise<void>
}

/** A server that keeps what webhooks bring. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
