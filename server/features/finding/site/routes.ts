import type { FastifyInstance } from 'fastify'
import type { SiteCounts } from '#contract/pages/public-pages.ts'
import type { siteEndpoints } from '#contract/site.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import { countSite } from './site-queries.ts'
import { mailSupport } from './support-mail.ts'

export type SiteSettings = {
  productName: string
  findPartsUrl: string | undefined
  mode: 'demo' | 'production'
  payments: { kind: 'stripe' | 'simulator' | 'off' }
  supportEmail: string
  adminPreview: boolean
  orders: boolean
}

const PAYMENTS_WORDS = { stripe: 'live', simulator: 'test', off: 'off' } as const

// The home page's numbers need not be current to the second, and counting large tables for every visitor is expensive.
const COUNTS_FRESH_MS = 30_000

export function siteRoutes(
  settings: SiteSettings,
  readFacts: () => Promise<{ proPrice: string }>,
): Handlers<typeof siteEndpoints> {
  const readCounts = keepFor(COUNTS_FRESH_MS, countSite)
  return {
    site: async ({ db }) => ({
      productName: settings.productName,
      findPartsUrl: settings.findPartsUrl ?? null,
      demo: settings.mode === 'demo',
      payments: PAYMENTS_WORDS[settings.payments.kind],
      orders: settings.orders && settings.payments.kind !== 'off',
      adminPreview: settings.adminPreview,
      proPrice: (await readFacts()).proPrice,
      counts: await readCounts(db),
    }),

    async askSupport(request) {
      const { actor, requestId } = request
      const question = await request.body()
      return async (db) => {
        await mailSupport(db, { question, actor, requestId }, settings)
        return { ok: true }
      }
    },
  }
}

// RFC 9116 recommends less than a year. The file is generated per request, so half of that is enough.
const SECURITY_TXT_DAYS = 180

/** `/.well-known/security.txt` (RFC 9116). */
export function serveSecurityTxt(
  app: FastifyInstance,
  { supportEmail, publicUrl, now }: { supportEmail: string; publicUrl: string; now: () => Date },
): void {
  app.route({
    ...otherRoute('securityTxt'),
    handler: async (_request, reply) => {
      const expires = new Date(now().getTime() + SECURITY_TXT_DAYS * 86_400_000)
      reply.header('cache-control', 'public, max-age=3600')
      return reply
        .type('text/plain; charset=utf-8')
        .send(
          [
            `Contact: mailto:${supportEmail}`,
            `Expires: ${expires.toISOString()}`,
            'Preferred-Languages: en',
            `Canonical: ${publicUrl}/.well-known/security.txt`,
            '',
          ].join('\n'),
        )
    },
  })
}

/** Caches the last result for a while; failures are not cached. */
function keepFor(freshMs: number, read: (db: Db) => Promise<SiteCounts>): (db: Db) => Promise<SiteCounts> {
  let kept: { at: number; counts: SiteCounts } | undefined
  return async (db) => {
    if (!kept || Date.now() - kept.at > freshMs) kept = { at: Date.now(), counts: await read(db) }
    return kept.counts
  }
}
