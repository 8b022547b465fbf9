import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Endpoint, errorReply } from '#contract/endpoint.ts'
import { errorTable, everywhereCodes } from '#contract/error-codes.ts'

const accessWords: Record<Endpoint['access'], string> = {
  public: 'Public.',
  anyone: 'Public; a token shows owners and admins more.',
  user: 'Needs a bearer token.',
  pro: 'Needs the bearer token of a Pro seller.',
  admin: 'Needs the bearer token of an admin.',
}

/** The schema from which the OpenAPI document is made; requests are parsed by the adapter, in the contract's order. */
export function describeRoute(name: string, endpoint: Endpoint): FastifySchema {
  const body = describeBody(endpoint)
  return {
    operationId: name,
    summary: endpoint.summary,
    description: accessWords[endpoint.access],
    tags: [endpoint.path.split('/')[1] ?? 'api'],
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(body && { body }),
    ...(endpoint.file && { consumes: ['multipart/form-data', 'application/json'] }),
    ...(endpoint.upload && { consumes: ['multipart/form-data'] }),
    response: responses(endpoint),
  } as FastifySchema
}

function describeBody({ body, upload }: Endpoint): z.ZodType | undefined {
  if (!upload) return body
  const fields = body instanceof z.ZodObject ? body.shape : {}
  return z.object({ ...fields, [upload]: z.file() })
}

function responses(endpoint: Endpoint): Record<string, z.ZodType> {
  const good = endpoint.reply === 'binary' ? z.string().describe('The picture') : endpoint.reply
  const byStatus = new Map<number, string[]>()
  for (const code of [...endpoint.errors, ...everywhereCodes]) {
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
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { docExpansion: 'none' },
  })
  app.get('/api/openapi.json', { schema: { hide: true } as FastifySchema }, () => app.swagger())
}
