import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Endpoint, errorReply } from '#contract/endpoint.ts'
import { errorTable, everywhereCodes } from '#contract/error-codes.ts'
import { type Access, type OtherAccess, type OtherRoute, otherRoutes } from '#contract/routes.ts'

const accessWords: Record<Access | OtherAccess, string> = {
  public: 'Public.',
  anyone: 'Public; a token shows owners and admins more.',
  user: 'Needs a bearer token.',
  pro: 'Needs the bearer token of a Pro seller.',
  admin: 'Needs the bearer token of an admin.',
  signature: 'Needs a body signed by the payment provider.',
  local: 'In demo mode, under the product’s own address.',
}

const FRESH_WORDS = ' Needs a sign-in or password check (POST /reauth) within the last 10 minutes.'

/** The schema for the OpenAPI document only; `mount` parses requests in the contract's order. */
export function describeRoute(name: string, endpoint: Endpoint): FastifySchema {
  const body = describeBody(endpoint)
  return {
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
}

function descriptionOf({ access, scope, fresh }: Endpoint): string {
  const words = accessWords[access] + (fresh ? FRESH_WORDS : '')
  return scope === undefined ? words : `${words} Or an API token with the scope \`${scope}\`.`
}

/** OpenAPI lists what a token needs beside the scheme, also for schemes other than OAuth. */
function securityOf({ access, scope }: Endpoint): Record<string, readonly string[]>[] {
  if (access === 'public') return []
  return scope === undefined ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [scope] }]
}

const takesTokens = ({ access }: Endpoint): boolean => access !== 'public' && access !== 'anyone'

type OtherName = keyof typeof otherRoutes

/** Method, address and description of a route outside the contract's endpoints, for `app.route`. */
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
  const failures = [...byStatus].map(([status, codes]) => [status, errorReply.describe(codes.join(', '))])
  const later = endpoint.later && { 202: endpoint.later }
  return { [endpoint.status ?? 200]: good, ...later, ...Object.fromEntries(failures) }
}

/** Serves the document at `/api/openapi.json` and a page to read it at `/api/docs`. */
export async function describeApi(
  app: FastifyInstance,
  info: { title: string; version: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        ...info,
        description: 'Every call of the API. Errors carry `error`, `code` and sometimes `fields`.',
      },
      // The plugin below serves it but does not describe it.
      paths: { [otherRoutes.apiDocs[1]]: { get: { ...describeOther('apiDocs'), responses: {} } } },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in.' },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'ph_…',
            description: 'A token from Account settings; it makes only the calls of its scopes.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: otherRoutes.apiDocs[1],
    uiConfig: { docExpansion: 'none' },
  })
  app.route({ ...otherRoute('openApi'), handler: () => app.swagger() })
}
