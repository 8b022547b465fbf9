import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Feeds, feedEndpoints } from '#contract/pages/sellers.ts'
import { sellerPath } from '#contract/pages/site-paths.ts'
import { type OtherRoute, otherRoutes } from '#contract/routes.ts'
import { sellerClosed } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import { sendStreamed, streamSlots } from '#server/platform/http/streamed-documents.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import {
  checkParts,
  type FeedSeller,
  findFeedSeller,
  getFeedSeller,
  readFeedParts,
  readFeedVersion,
  updateFeeds,
} from './feed-parts.ts'
import { type FeedHead, googleFeed, metaFeed } from './feed-text.ts'
import type { IndexNow } from './index-now.ts'

type Deps = { db: Db; publicUrl: string }

export function feedRoutes({ publicUrl }: Pick<Deps, 'publicUrl'>): Handlers<typeof feedEndpoints> {
  // A yard of 100,000 parts takes a second.
  const inTurn = taskQueue({ atOnce: 2, waiting: 40 })
  const present = async (db: Db, { id, slug, feeds }: FeedSeller): Promise<Feeds> => ({
    enabled: feeds,
    googleUrl: publicUrl + addressOf(otherRoutes.googleFeed, slug),
    metaUrl: publicUrl + addressOf(otherRoutes.metaFeed, slug),
    ...(await inTurn(() => checkParts(db, id))),
  })
  return {
    readFeeds: async ({ db, actor: { sellerId } }) => present(db, await getFeedSeller(db, sellerId)),
    async setFeeds({ db, actor: { sellerId }, body }) {
      const { enabled } = await body()
      await updateFeeds(db, sellerId, enabled)
      return present(db, await getFeedSeller(db, sellerId))
    },
  }
}

const addressOf = ([, path]: OtherRoute, slug: string) => path.replace('{seller}', encodeURIComponent(slug))

const kinds = {
  googleFeed: { type: 'application/xml; charset=utf-8', write: googleFeed },
  metaFeed: { type: 'text/csv; charset=utf-8', write: metaFeed },
} as const

// What is sold or hidden leaves shared caches within a minute; whoever asks again gets 304 as long as nothing changed.
const CACHE_CONTROL = 'public, max-age=60'
const PLACES = { all: 40, perAddress: 8 }

/** Serves the feeds of sellers who allow it. */
export function serveFeeds(app: FastifyInstance, { db, publicUrl }: Deps): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  const places = streamSlots(PLACES)
  for (const [name, { type, write }] of Object.entries(kinds)) {
    app.route<{ Params: { seller: string } }>({
      ...otherRoute(name as keyof typeof kinds),
      config,
      handler: async (request, reply) => {
        const seller = await findFeedSeller(db, request.params.seller)
        if (seller?.gone === 'closed') throw sellerClosed()
        if (!seller?.feeds || seller.gone) return reply.callNotFound()
        const head: FeedHead = { seller: seller.name, link: publicUrl + sellerPath(seller.slug), publicUrl }
        const content = `${publicUrl} ${seller.name} ${await readFeedVersion(db, seller.id)}`
        const version = createHash('sha256').update(content).digest('base64url').slice(0, 22)
        const pieces = () => write(readFeedParts(db, seller.id), head)
        return sendStreamed(request, reply, { type, version, cacheControl: CACHE_CONTROL, pieces }, places)
      },
    })
  }
}

/** Serves the key that proves who sends addresses. */
export function serveIndexNowKey(app: FastifyInstance, indexNow: IndexNow | undefined): void {
  app.route({
    ...otherRoute('indexNowKey'),
    handler: (_request, reply) =>
      indexNow ? reply.type('text/plain; charset=utf-8').send(indexNow.key) : reply.callNotFound(),
  })
}
