import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000

/** Headers that every answer carries. Scripts come from our own files alone; Mantine sets styles inline. */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  hsts: { maxAge: YEAR_SECONDS, includeSubDomains: true },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  crossOriginEmbedderPolicy: false,
} as const

/** Adds them, and who may read answers from another origin. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  corsOrigins: readonly string[],
): Promise<void> {
  const headers = await headersOfPolicy()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  // Without an allowed origin no CORS header is sent at all; the token travels in a header, so no cookies are allowed.
  await app.register(cors, {
    origin: corsOrigins.length > 0 ? [...corsOrigins] : false,
    credentials: false,
    // The plugin's own default leaves out PUT and DELETE.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: ['retry-after', 'idempotent-replayed', 'x-request-id'],
    maxAge: 600,
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store')
    }
    done(null, payload)
  })
}

/** What helmet answers for our policy. It makes the same headers anew for each request, a fifth of the work of a short one. */
async function headersOfPolicy(): Promise<Record<string, string>> {
  const read = async (withPolicy: boolean) => {
    const app = fastify()
    if (withPolicy) await app.register(helmet, policy)
    app.get('/', async () => '')
    const { headers } = await app.inject('/')
    await app.close()
    return headers
  }
  const [bare, full] = [await read(false), await read(true)]
  return Object.fromEntries(
    Object.entries(full).flatMap(([name, value]) => (name in bare ? [] : [[name, String(value)]])),
  )
}
