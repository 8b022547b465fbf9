import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { preparedReply, sendPrepared } from './handler.ts'

const json = JSON.stringify({ saved: 'Headlamp '.repeat(500) })

async function answer(accepted: string | undefined) {
  const app = fastify()
  app.get('/', async (request, reply) => sendPrepared(reply, 200, preparedReply(request, json)))
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
  return app.inject({ url: '/', headers })
}

test.each(['gzip', 'gzip, deflate', 'br;q=1.0, GZIP;q=0.8', 'deflate, gzip ; q=0.05', 'br,gzip'])(
  'a client that accepts %j gets gzip',
  async (accepted) => {
    const reply = await answer(accepted)
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(reply.rawPayload).toString()).toBe(json)
  },
)

test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'x-gzipped'])(
  'a client that accepts %j gets the plain body',
  async (accepted) => {
    const reply = await answer(accepted)
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.body).toBe(json)
  },
)
