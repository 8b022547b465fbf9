import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import * as fixtures from '#tests/support/image-fixtures.ts'
import { formOf, pictureListing, someLookups } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const lookups = await someLookups(app.visitor)
const { port } = new URL(await app.http.listen({ host: '127.0.0.1', port: 0 }))

/** Sends a picture a byte now and then. */
async function drip(token: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `POST /api/seller/parts HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\nx`,
  )
  const dripping = setInterval(() => socket.write('x'), 50)
  socket.once('close', () => clearInterval(dripping))
  return socket
}

test('24 slow uploads from six accounts do not keep anyone from sending a picture, even from the same address', async () => {
  const sellers = await Promise.all(Array.from({ length: 7 }, () => app.signUp()))
  const seventh = sellers.pop()
  const told: string[] = []
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const { api } of sellers) {
    for (let place = 0; place < 4; place += 1) {
      const socket = await drip(api.token ?? '')
      socket.on('data', (data) => told.push(data.toString().split('\r\n')[0] ?? ''))
      sockets.push(socket)
    }
  }
  // Who has to give way is told, and can send again.
  await expect.poll(() => told.length).toBe(12)
  const bytes = await fixtures.jpeg()
  for (let picture = 0; picture < 3; picture += 1) {
    const form = formOf(pictureListing(lookups), { bytes })
    expect((await seventh?.api.post('/seller/parts', form))?.status).toBe(201)
  }
  expect(new Set(told)).toEqual(new Set(['HTTP/1.1 503 Service Unavailable']))
})
