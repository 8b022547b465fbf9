import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Endpoint, errorReply } from '#contract/endpoint.ts'
import { errorTable, everywhereCodes } from '#contract/error-codes.ts'
import { type Access, type OtherAccess, type OtherRoute, otherRoutes } from '#contract/routes.ts'
import { type KeptDocument, keepDocument, sendDocument } from './kept-documents.ts'
import { type OperatorAccess, operatorsOnly } from './operators.ts'

const accessWords: Record<Access | OtherAccess, string> = {
  public: 'Public.',
  anyone: 'Public; a token shows owners and admins more.',
  user: 'Needs a bearer token.',
  pro: 'Needs the bearer token of a Pro seller.',
  admin: 'Needs the bearer token of an admin.',
  signature: 'Needs a body signed by the payment provider.',
  local: 'In demo mode, under the product’s own address.',
  operator: 'In production only with OPS_TOKEN, or from an address in OPS_NETWORKS.',
}

const FRESH_WORDS = ' Needs a sign-in or password check (POST /reauth) within the last 10 minutes.'

const descriptions = new WeakMap<Endpoint, FastifySchema>()

/** The schema for the OpenAPI document only; `mount` parses requests in the contract's order. */
export function describeRoute(name: string, endpoint: Endpoint): FastifySchema {
  const known = descriptions.get(endpoint)
  if (known) return known
  const body = describeBody(endpoint)
  const description = {
    operationId: name,
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    tags: [endpoint.path.split('/')[1] ?? 'api'],
    security: securityOf(endpoint),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(body && { body }),
    ...(endpoint.file && { consumes: ['multipart/form-data', 'application/json'] }),
    ...(endpoint.upload && { consumes: ['multipart/form-data'] }),
    response: responses(endpoint),
  } as FastifySchema
  descriptions.set(endpoint, description)
  return description
}

function descriptionOf({ access, scope, fresh }: Endpoint): string {
  const words = accessWords[access] + (fresh ? FRESH_WORDS : '')
  return scope === undefined ? words : `${words} Or an API token with the scope \`${scope}\`.`
}

/** OpenAPI allows required scopes for bearer tokens too, not only for OAuth. */
function securityOf({ access, scope }: Endpoint): Record<string, readonly string[]>[] {
  if (access === 'public') return []
  return scope === undefined ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [scope] }]
}

const takesTokens = ({ access }: Endpoint): boolean => access !== 'public' && access !== 'anyone'

type OtherName = keyof typeof otherRoutes

/** Method, path and description of a route outside the endpoint tables, for `app.route`. */
export function otherRoute<Name extends OtherName>(
  name: Name,
): { method: OtherRoute[0]; url: string; schema: FastifySchema } {
  const [method, path] = otherRoutes[name]
  return { method, url: routerPath(path), schema: describeOther(name) as FastifySchema }
}

function describeOther(name: OtherName) {
  const [, , access, summary] = otherRoutes[name]
  return { operationId: name, summary, description: accessWords[access], tags: ['other'], security: [] }
}

/** Turns `{name}` into the router's `:name`. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function describeBody({ body, upload }: Endpoint): z.ZodType | undefined {
  if (!upload) return body
  const fields = body instanceof z.ZodObject ? body.shape : {}
  return z.object({ ...fields, [upload]: z.file() })
}

function responses(endpoint: Endpoint): Record<string, z.ZodType> {
  const good = endpoint.reply === 'binary' ? z.string().describe('The picture') : endpoint.reply
  const byStatus = new Map<number, string[]>()
  const scopes = takesTokens(endpoint) ? (['SCOPE_MISSING'] as const) : []
  for (const code of [...endpoint.errors, ...scopes, ...everywhereCodes]) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const failed = [...byStatus].map(([status, codes]) => [status, failureOf(codes.join(', '))])
  const later = endpoint.later && { 202: endpoint.later }
  return { [endpoint.status ?? 200]: good, ...later, ...Object.fromEntries(failed) }
}

// zod never frees a description.
const failures = new Map<string, z.ZodType>()

function failureOf(codes: string): z.ZodType {
  const failure = failures.get(codes) ?? errorReply.describe(codes)
  failures.set(codes, failure)
  return failure
}

/** Collects the description of every route that is added later. */
export async function describeApi(
  app: FastifyInstance,
  info: { title: string; version: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        ...info,
        description: 'All calls of the API. Errors carry `error`, `code` and sometimes `fields`.',
      },
      // The plugin below serves it but does not describe it.
      paths: { [otherRoutes.apiDocs[1]]: { get: { ...describeOther('apiDocs'), responses: {} } } },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The token from signing in.' },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'ph_…',
            description: 'A token from Account settings; it makes only the calls of its scopes.',
          },
        },
      },
    },
    transform: (route) => converted.get(route.schema) ?? jsonSchemaTransform(route),
  })
}

type Converted = ReturnType<typeof jsonSchemaTransform>
const converted = new WeakMap<FastifySchema, Converted>()

/** Builds the document with a pause after each route; without pauses it would block the process for a second. */
async function writeDocument(
  app: FastifyInstance,
  described: readonly { schema: FastifySchema; url: string }[],
): Promise<string> {
  for (const { schema, url } of described) {
    if (converted.has(schema)) continue
    const route = { schema, url, openapiObject: { openapi: '3.1.0' } } as unknown
    converted.set(schema, jsonSchemaTransform(route as Parameters<typeof jsonSchemaTransform>[0]))
    await setImmediate()
  }
  return JSON.stringify(app.swagger())
}

/** Serves the document at `/api/openapi.json` and a documentation page at `/api/docs`, to operators only. */
export async function serveApiDocs(app: FastifyInstance, operators: OperatorAccess): Promise<void> {
  const guard = operatorsOnly(app, operators)
  const described: { schema: FastifySchema; url: string }[] = []
  app.addHook('onRoute', ({ schema, url }) => void (schema && described.push({ schema, url })))
  let kept: Promise<KeptDocument> | undefined
  app.route({
    ...otherRoute('openApi'),
    onRequest: guard,
    handler: async (request, reply) => {
      // Built on the first request, because it takes longer than the rest of startup.
      kept ??= writeDocument(app, described).then((text) =>
        keepDocument(text, 'application/json; charset=utf-8'),
      )
      return sendDocument(request, reply, await kept)
    },
  })
  // A separate scope, so that the hooks cover every file of the page.
  await app.register((docs, _options, done) => {
    docs.addHook('onRequest', guard)
    keepFiles(docs)
    docs.register(swaggerUi, { routePrefix: otherRoutes.apiDocs[1], uiConfig: { docExpansion: 'none' } })
    done()
  })
}

// The page, its files, and the plugin's two versions of the document: few enough to keep in memory.
const DOCS_FILE = new RegExp(`^${otherRoutes.apiDocs[1]}(/|/json|/yaml|/static/[a-z][\\w-]*(\\.\\w+)+)?$`)

/** Caches each file of the page. Compressing them for every request delayed all other requests. */
function keepFiles(docs: FastifyInstance): void {
  const kept = new Map<string, KeptDocument>()
  const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''
  docs.addHook('onRequest', async (request, reply) => {
    const document = kept.get(pathOf(request))
    if (document) return sendDocument(request, reply, document)
  })
  docs.addHook('onSend', async (request, reply, payload) => {
    const path = pathOf(request)
    const isWhole = request.method === 'GET' && reply.statusCode === 200 && !reply.hasHeader('content-range')
    if (!isWhole || !DOCS_FILE.test(path) || kept.has(path)) return payload
    const content = payload instanceof Readable ? await buffer(payload) : (payload as string | Buffer)
    kept.set(path, await keepDocument(content, String(reply.getHeader('content-type'))))
    reply.header('content-length', Buffer.byteLength(content))
    return content
  })
}
