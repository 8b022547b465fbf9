import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { isInternalHost } from './addresses.ts'
import { type GuardOptions, openGuardedFetch } from './guarded-fetch.ts'

const opened: { close(): unknown }[] = []
afterAll(() => Promise.all(opened.map((each) => each.close())))

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  opened.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return (server.address() as AddressInfo).port
}

function fetcher(options: GuardOptions) {
  const web = openGuardedFetch({ totalMs: 500, ...options })
  opened.push(web)
  return (url: string, mostBytes = 1_000) =>
    web.bytes(url, { mostBytes, signal: AbortSignal.timeout(20_000) }).then(String, String)
}

/** This machine plays the internet: `yard.example` resolves to 127.0.0.1, which counts as outside. */
const outside = (port: number, others: Record<string, string[]> = {}) =>
  fetcher({
    ports: [port],
    isInside: (host) => host !== '127.0.0.1' && isInternalHost(host),
    lookup: async (name) =>
      (others[name] ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })

describe('23 outgoing requests', () => {
  const get = fetcher({ lookup: async () => [{ address: '10.0.0.8', family: 4 }] })

  test.each([
    ['ftp://yard.example/a.jpg', 'does not start with http'],
    ['file:///etc/passwd', 'does not start with http'],
    ['data:image/png;base64,AAAA', 'does not start with http'],
    ['gopher://yard.example/', 'does not start with http'],
    ['javascript:alert(1)', 'does not start with http'],
    ['not an address', 'does not start with http'],
    ['', 'does not start with http'],
    ['http://user:secret@yard.example/a.jpg', 'a name or a password'],
    ['http://user@yard.example/a.jpg', 'a name or a password'],
    ['http://yard.example:22/', 'port 22 is not allowed'],
    ['http://yard.example:6379/', 'port 6379 is not allowed'],
    ['https://yard.example:8443/', 'port 8443 is not allowed'],
    ['http://127.0.0.1/', 'is inside'],
    ['http://2130706433/', 'is inside'],
    ['http://0x7f.1/', 'is inside'],
    ['http://[::1]/', 'is inside'],
    ['http://[::ffff:169.254.169.254]/', 'is inside'],
    ['http://169.254.169.254/latest/meta-data/', 'is inside'],
    ['http://metadata.google.internal/', 'is inside'],
    ['http://localhost/', 'is inside'],
    ['http://printer/', 'is inside'],
    ['http://yard.example/a.jpg', 'yard.example is inside'],
  ])('refuses %s', async (url, reason) => {
    expect(await get(url)).toContain(reason)
  })

  test('a name with one inside address among others is refused', async () => {
    const port = await serve((_request, response) => response.end('reached'))
    const some = outside(port, { 'two.example': ['127.0.0.1', '192.168.0.1'] })
    expect(await some(`http://two.example:${port}/`)).toContain('two.example is inside')
    expect(await some(`http://one.example:${port}/`)).toBe('reached')
  })

  test('a name that resolves differently the second time makes no difference', async () => {
    const port = await serve((_request, response) => response.end('reached'))
    const answers = ['127.0.0.1', '10.0.0.1']
    let asked = 0
    const get = fetcher({
      ports: [port],
      isInside: (host) => host !== '127.0.0.1' && isInternalHost(host),
      lookup: async () => [{ address: answers[asked++] ?? '10.0.0.1', family: 4 }],
    })
    expect(await get(`http://rebind.example:${port}/`)).toBe('reached')
    expect(asked).toBe(1)
  })

  test('an unknown name is reported', async () => {
    const get = fetcher({ lookup: () => Promise.reject(new Error('ENOTFOUND')) })
    expect(await get('http://nobody.example/')).toContain('there is no server called nobody.example')
  })
})

describe('23 responses', () => {
  test('no data of ours is sent along', async () => {
    const port = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    const headers = JSON.parse(await outside(port)(`http://yard.example:${port}/`)) as object
    expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host'])
  })

  test('redirects are followed three times, each under the same rules', async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (Number.isNaN(left))
        return response.writeHead(302, { location: request.url?.slice('/to:'.length) }).end()
      if (left === 0) return response.end('there')
      return response.writeHead(301, { location: `/${left - 1}` }).end()
    })
    const get = outside(port)
    const at = `http://yard.example:${port}`
    expect(await get(`${at}/3`)).toBe('there')
    expect(await get(`${at}/4`)).toContain('redirects too often')
    expect(await get(`${at}/to:http://169.254.169.254/`)).toContain('169.254.169.254 is inside')
    expect(await get(`${at}/to:http://yard.example:22/`)).toContain('port 22')
    expect(await get(`${at}/to:file:///etc/passwd`)).toContain('does not start with http')
  })

  test('reading stops at the size limit, whether or not the length is announced', async () => {
    let sent = 0
    const port = await serve((request, response) => {
      if (request.url === '/said') response.setHeader('content-length', 5_000_000)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000
      }
      response.on('drain', more)
      more()
    })
    const get = outside(port)
    const at = `http://yard.example:${port}`
    expect(await get(`${at}/said`, 1_572_864)).toContain('larger than 1.5 MB')
    sent = 0
    expect(await get(`${at}/unsaid`, 1_572_864)).toContain('larger than 1.5 MB')
    expect(sent).toBeLessThan(20_000_000)
  })

  test.each([
    [404, 'there is nothing at the address'],
    [410, 'there is nothing at the address'],
    [403, 'denied access'],
    [500, 'status 500'],
    [204, 'status 204'],
  ])('status %i is not a picture', async (status, reason) => {
    const port = await serve((_request, response) => response.writeHead(status).end())
    expect(await outside(port)(`http://yard.example:${port}/`)).toContain(reason)
  })

  test('a server that drips or stays silent is abandoned', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/silent') return
      const dripping = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(dripping))
    })
    const get = outside(port)
    expect(await get(`http://yard.example:${port}/drip`)).toContain('took longer than 0.5 seconds')
    expect(await get(`http://yard.example:${port}/silent`)).toContain('took longer than 0.5 seconds')
  })

  test('a refused or broken connection is reported', async () => {
    const port = await serve((_request, response) => response.socket?.destroy())
    expect(await outside(port)(`http://yard.example:${port}/`)).toContain('connection to the server failed')
  })
})
