import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import {
  accountEndpoints,
  closingEndpoints,
  factorEndpoints,
  ownDataEndpoints,
  savedViewEndpoints,
} from '#contract/account/accounts.ts'
import { apiTokenEndpoints } from '#contract/account/api-tokens.ts'
import { garageEndpoints } from '#contract/account/garage.ts'
import { automationEndpoints, jobScheduleEndpoints } from '#contract/admin/automation.ts'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import { operationsEndpoints } from '#contract/admin/operations.ts'
import { adminPeopleEndpoints } from '#contract/admin/people.ts'
import { textReviewEndpoints } from '#contract/admin/scripts.ts'
import { promotionEndpoints, stagingDeskEndpoints, stagingEndpoints } from '#contract/admin/staging.ts'
import { taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import { analyticsEndpoints } from '#contract/analytics.ts'
import { importEndpoints } from '#contract/imports.ts'
import { landingEndpoints } from '#contract/landing.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { pricingEndpoints } from '#contract/listing/pricing.ts'
import { listingEndpoints, ownBulkEndpoints } from '#contract/listings.ts'
import { adminLookupEndpoints, lookupEndpoints } from '#contract/lookups.ts'
import { conversationEndpoints } from '#contract/pages/conversations.ts'
import { partPageEndpoints } from '#contract/pages/part-page.ts'
import { feedEndpoints, sellerEndpoints } from '#contract/pages/sellers.ts'
import { yardEndpoints } from '#contract/pages/yard.ts'
import { pictureEndpoints } from '#contract/pictures.ts'
import { reportEndpoints } from '#contract/reports.ts'
import { otherRoutes, routes } from '#contract/routes.ts'
import { interchangeEndpoints } from '#contract/search/interchange.ts'
import { searchEndpoints } from '#contract/search/parts-search.ts'
import { savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import { searchWordEndpoints } from '#contract/search/search-words.ts'
import { suggestionEndpoints } from '#contract/search/suggestions.ts'
import { siteEndpoints, webVitalEndpoints } from '#contract/site.ts'
import { vinEndpoints } from '#contract/vehicle/vin.ts'
import type { Config } from '#server/config.ts'
import { feedRoutes, serveFeeds, serveIndexNowKey } from '#server/features/finding/feeds/routes.ts'
import { garageRoutes } from '#server/features/finding/garage/routes.ts'
import { type LandingReader, openLandingReader } from '#server/features/finding/landing/read-page.ts'
import { landingRoutes } from '#server/features/finding/landing/routes.ts'
import { openTopNames, type TopNamesReader } from '#server/features/finding/landing/top-names.ts'
import { openPageBundle } from '#server/features/finding/pages/page-bundle.ts'
import { openPageReads } from '#server/features/finding/pages/page-reads.ts'
import { partPageRoutes, readPartState } from '#server/features/finding/pages/part-page.ts'
import { openPages, type PageDeps, servePages } from '#server/features/finding/pages/routes.ts'
import { serveSitemap } from '#server/features/finding/pages/sitemap-routes.ts'
import { savedSearchRoutes } from '#server/features/finding/saved-searches/routes.ts'
import { stopSearches } from '#server/features/finding/saved-searches/saved-searches.ts'
import { savedViewRoutes } from '#server/features/finding/saved-views/routes.ts'
import { adminListRoutes, listRoutes } from '#server/features/finding/search/list-routes.ts'
import { openSearchMemory } from '#server/features/finding/search/matches/search-memory.ts'
import { cardShape } from '#server/features/finding/search/page/cards.ts'
import { openFarPages } from '#server/features/finding/search/page/far-pages.ts'
import { openPartsSearch, type PartsSearch } from '#server/features/finding/search/page/find-parts.ts'
import { openLists } from '#server/features/finding/search/page/lists.ts'
import { rankedShape } from '#server/features/finding/search/page/rank.ts'
import {
  openReading,
  type ReadPartsQuery,
  warmReading,
} from '#server/features/finding/search/query/reading.ts'
import { searchRoutes, suggestionRoutes } from '#server/features/finding/search/routes.ts'
import { openSuggestions, type Suggestions } from '#server/features/finding/search/suggest/suggestions.ts'
import { readReach } from '#server/features/finding/search/word-reach.ts'
import { serveSecurityTxt, siteRoutes } from '#server/features/finding/site/routes.ts'
import { searchWordRoutes } from '#server/features/finding/vocabulary/routes.ts'
import { analyticsRoutes } from '#server/features/market/analytics/routes.ts'
import { bulkEditRoutes, ownBulkRoutes } from '#server/features/market/bulk-edit/routes.ts'
import { textReviewRoutes } from '#server/features/market/descriptions/routes.ts'
import { historyRoutes } from '#server/features/market/history/routes.ts'
import { interchangeRoutes } from '#server/features/market/interchange/routes.ts'
import { pictureRoutes } from '#server/features/market/listing-pictures/routes.ts'
import { wholeListing } from '#server/features/market/listings/listing-queries.ts'
import { adminListingRoutes, listingRoutes } from '#server/features/market/listings/routes.ts'
import { openViewCounter } from '#server/features/market/listings/view-counter.ts'
import { adminLookupRoutes, lookupRoutes } from '#server/features/market/lookups/routes.ts'
import { pricingRoutes } from '#server/features/market/pricing/routes.ts'
import { vinRoutes } from '#server/features/market/vin/routes.ts'
import { openVehicles, type Vehicles } from '#server/features/market/vin/vehicles.ts'
import { openPriceText } from '#server/features/money/billing/setup/pro-price.ts'
import { accountRoutes, serveUnsubscribe } from '#server/features/people/accounts/routes.ts'
import { authenticate } from '#server/features/people/accounts/sessions.ts'
import {
  authenticateToken,
  endTokens,
  isApiToken,
  revokeTokensSince,
} from '#server/features/people/api-tokens/api-tokens.ts'
import { apiTokenRoutes } from '#server/features/people/api-tokens/routes.ts'
import { closingRoutes } from '#server/features/people/closing/routes.ts'
import { removeFactorsSince } from '#server/features/people/factors/factors.ts'
import { passkeySite } from '#server/features/people/factors/passkeys.ts'
import { factorRoutes } from '#server/features/people/factors/routes.ts'
import { openSecondSteps } from '#server/features/people/factors/second-step.ts'
import { ownDataRoutes } from '#server/features/people/own-data/routes.ts'
import { readSellerState } from '#server/features/people/sellers/public-seller.ts'
import { sellerRoutes, yardRoutes } from '#server/features/people/sellers/routes.ts'
import { peopleRoutes } from '#server/features/people/users/routes.ts'
import { auditRoutes } from '#server/features/running/audit/routes.ts'
import { JobStreams } from '#server/features/running/automation/open-job-streams.ts'
import { automationRoutes, jobScheduleRoutes } from '#server/features/running/automation/routes.ts'
import { requireDemoData } from '#server/features/running/demo/load-demo.ts'
import { operationsRoutes } from '#server/features/running/operations/routes.ts'
import { webVitalRoutes } from '#server/features/running/web-vitals/routes.ts'
import { vitalsMeter } from '#server/features/running/web-vitals/vitals-meter.ts'
import { importRoutes } from '#server/features/stock-files/import-routes.ts'
import { COUNTS_AT_ONCE } from '#server/features/stock-files/receive/finish.ts'
import { stagingRoutes } from '#server/features/stock-files/staging-routes.ts'
import { recordUnreadablePath } from '#server/features/stock-files/store/staging-path.ts'
import { conversationRoutes, leadRoutes } from '#server/features/talk/leads/routes.ts'
import { serveOutbox } from '#server/features/talk/mail/routes.ts'
import { reportRoutes } from '#server/features/talk/reports/routes.ts'
import type { Authenticate } from '#server/platform/actor.ts'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import { openReads, openSharedReads, type ReadPaths, type Reads } from '#server/platform/database/reads.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { catchErrors, methodsByPath } from '#server/platform/http/error-boundary.ts'
import { addSecurityHeaders, openHttp } from '#server/platform/http/fastify-app.ts'
import { type KeptReplies, openAppReplies } from '#server/platform/http/kept-documents.ts'
import { mount } from '#server/platform/http/mount.ts'
import { describeApi, serveApiDocs } from '#server/platform/http/openapi.ts'
import { latchOk, serveOperations } from '#server/platform/http/operations.ts'
import { sweepUploads, uploadRules } from '#server/platform/http/uploads.ts'
import { serveWebFiles } from '#server/platform/http/web-files.ts'
import { requireQueues } from '#server/platform/jobs/deliveries.ts'
import type { Log } from '#server/platform/log.ts'
import { JOB_QUEUES } from './job-queues.ts'
import { mountSales, openLetGo } from './mount-sales.ts'
import { programVersion } from './version.ts'

export type AppDeps = {
  config: Config
  database: Database
  /** Connections for what the signed-out read, so that a crowd of them leaves all others theirs; if none, `database`. */
  readers?: Database
  files: FileStore
  log: Log
  now: () => Date
  isStopping?: () => boolean
}

// As many as an api has for all.
const REPLICA_POOL_SIZE = 20

// Planning an import of a million rows takes a few statements of several seconds each.
const PLAN_STATEMENT_MS = 2 * 60_000

const WEB_DIR = join(import.meta.dirname, '../dist/web')

/** Wires the whole HTTP side explicitly: every handler is one click away from here. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, database, files, log, now } = deps
  const { db } = database
  const app = await openHttp({ log, trustedProxies: config.trustedProxies })
  const replica = openReplica(app, config, log)
  await addSecurityHeaders(app, config.corsOrigins)
  await describeApi(app, { title: `${config.productName} API`, version: '1' })
  await serveWebFiles(app, WEB_DIR)
  const readPaths = openReads({ db, readers: deps.readers?.db, replica: replica?.db, log, now })
  const { reads } = readPaths
  const vehicles = openVehicles(now)
  const ask = openReading(now, vehicles)
  const search = openSearch(app, deps, { reads, ask })
  const suggestions = openSuggestions({ db, reads, readQuery: ask, vehicles, log, now })
  const readLanding = openLandingReader()
  const readTop = openTopNames()
  const kept = openAppReplies(app, now)
  const pages = await openPageDeps(deps, { reads, ask, search, readLanding, readTop, kept })
  const web = openPages(pages)
  const calls = Object.values(routes).map(([method, path]) => [method, `/api${path}`] as const)
  const webhooks = config.payments.kind === 'off' ? [] : [otherRoutes.stripeWebhook]
  catchErrors(app, { methodsAt: methodsByPath([...calls, ...webhooks]), web })
  await serveApiDocs(app, config.operators)
  const isWarm = latchOk(() => Promise.all([suggestions.ready(), reads((from) => warmReading(from, ask))]))
  const metrics = mountOperations(app, deps, { replica, isWarm })
  const uploadDir = join(config.dataDir, 'uploads')
  await sweepUploads(uploadDir)
  const mountDeps = {
    db,
    readPaths,
    authenticate: openAuthentication(deps),
    uploads: uploadRules(uploadDir),
    sharing: pages,
  }
  await mountAccounts(app, deps, mountDeps)
  mount(app, lookupEndpoints, lookupRoutes(), mountDeps)
  mount(app, adminLookupEndpoints, adminLookupRoutes(), mountDeps)
  mountListings(app, deps, { ask, readPaths, search }, mountDeps)
  mountImports(app, deps, vehicles, mountDeps)
  const staging = { ...mountDeps, onUnreadable: recordUnreadablePath(db) }
  mountStaging(app, deps, staging)
  const streams = openJobStreams(app, deps)
  const automation = { queues: JOB_QUEUES, files, streams, openai: config.openai }
  mount(app, automationEndpoints, automationRoutes(automation), staging)
  mount(app, textReviewEndpoints, textReviewRoutes({ files }), mountDeps)
  mount(app, jobScheduleEndpoints, jobScheduleRoutes({ queues: JOB_QUEUES, now }), mountDeps)
  mount(app, landingEndpoints, landingRoutes(readLanding, readTop), mountDeps)
  servePages(app, web, pages)
  mount(app, partPageEndpoints, partPageRoutes({ reads, search, now }), mountDeps)
  mountBuyers(app, deps, ask, mountDeps)
  mount(app, analyticsEndpoints, analyticsRoutes({ now }), mountDeps)
  await mountSales(app, deps, mountDeps)
  const people = peopleRoutes({ now, canReadPlans: config.payments.kind !== 'off', letterhead: config })
  mount(app, adminPeopleEndpoints, { ...people, ...auditRoutes() }, mountDeps)
  const watched = { backupAt: config.backup.at, queues: JOB_QUEUES, now }
  mount(app, operationsEndpoints, operationsRoutes(watched), mountDeps)
  mount(app, siteEndpoints, siteRoutes(config, pages.reads().site), mountDeps)
  serveSecurityTxt(app, { ...config, now })
  mountPublicStock(app, deps, { reads, suggestions }, mountDeps)
  mount(app, webVitalEndpoints, webVitalRoutes(vitalsMeter(metrics)), mountDeps)
  if (config.mode === 'demo') serveOutbox(app, { db, publicUrl: config.publicUrl })
  return app
}

/** Mounts buyers' messages, saved searches and listing reports. */
function mountBuyers(
  app: FastifyInstance,
  deps: AppDeps,
  ask: ReadPartsQuery,
  mountDeps: Parameters<typeof mount>[3],
): void {
  const { config, now } = deps
  mount(app, leadEndpoints, leadRoutes({ site: config, now }), mountDeps)
  mount(app, conversationEndpoints, conversationRoutes({ site: config, now }), mountDeps)
  mount(app, savedSearchEndpoints, savedSearchRoutes({ ask, site: config, now }), mountDeps)
  mount(app, reportEndpoints, reportRoutes({ site: config, now, letGo: openLetGo(deps) }), mountDeps)
}

function openJobStreams(app: FastifyInstance, { config, database: { db }, log, now }: AppDeps): JobStreams {
  const directUrl = config.databaseDirectUrl ?? config.databaseUrl ?? ''
  const streams = new JobStreams(db, { directUrl, log, now })
  app.addHook('preClose', () => streams.close())
  return streams
}

function openSearch(
  app: FastifyInstance,
  { database: { db }, log, now }: AppDeps,
  { reads, ask }: { reads: Reads; ask: ReadPartsQuery },
): PartsSearch {
  const memory = openSearchMemory(now)
  const cards = openLists({ db, reads, memory, log, now }, cardShape)
  const ranked = openLists({ db, reads, memory, log, now }, rankedShape)
  const search = openPartsSearch({ db, reads, readQuery: ask, cards, ranked, memory, log, now })
  app.addHook('onClose', async () => {
    await Promise.all([search.close(), cards.close(), ranked.close()])
  })
  return search
}

/** Returns what server-rendered pages need. */
async function openPageDeps(
  { config, database: { db }, now }: AppDeps,
  sources: {
    reads: Reads
    ask: ReadPartsQuery
    search: PartsSearch
    readLanding: LandingReader
    readTop: TopNamesReader
    kept: KeptReplies
  },
): Promise<PageDeps> {
  const { productName, publicUrl, findPartsUrl = null, mode, payments, proPriceText: priceText } = config
  const priceId = payments.kind === 'off' ? undefined : payments.proPriceId
  const readPrice = openPriceText(sources.reads, { priceId, priceText })
  const orders = config.orders && payments.kind !== 'off'
  const site = { productName, origin: publicUrl, findPartsUrl, demo: mode === 'demo', orders }
  return {
    bundle: await openPageBundle(WEB_DIR, productName),
    kept: sources.kept,
    ownState: {
      parts: (slug) => readPartState({ reads: sources.reads, now }, slug),
      sellers: (slug) => sources.reads((from) => readSellerState(from, slug)),
    },
    reads: openPageReads({ db, ...sources, site, readPrice, mail: config, now }),
    // Includes the day because sold parts disappear after a while and the footer shows the year.
    version: async () => {
      const [data, price] = await Promise.all([sources.search.version(), readPrice()])
      const rest = `${price.replaceAll(/[^\w.]/g, '')}.${now().toISOString().slice(0, 10)}`
      return { of: (sections) => `${data.of(sections)}.${rest}` }
    },
  }
}

function mountOperations(
  app: FastifyInstance,
  { config, database, readers, files, log, isStopping = () => false }: AppDeps,
  { replica, isWarm }: { replica: Database | undefined; isWarm: () => Promise<unknown> },
): ReturnType<typeof serveOperations> {
  return serveOperations(app, {
    database,
    readers,
    log,
    operators: config.operators,
    version: programVersion(config.releaseVersion),
    isStopping,
    checks: {
      database: () => checkDatabase(database, replica),
      queue: async () => (await checkDatabase(database, replica)) === 'ok' && requireQueues(database.db),
      storage: () => files.check(),
      search: isWarm,
      ...(config.demoData && { demoData: () => requireDemoData(database.db) }),
    },
  })
}

// Shorter than the three seconds of the whole check: an unreachable machine never replies.
const PRIMARY_MS = 2_000

/** A process that can only read stays in service: read-only pages are better than none. */
async function checkDatabase({ pool }: Database, replica: Database | undefined): Promise<'ok' | 'reading'> {
  const late = sleep(PRIMARY_MS, undefined, { ref: false }).then(() => {
    throw new Error('timed out')
  })
  try {
    await Promise.race([pool.query('select 1'), late])
    return 'ok'
  } catch (error) {
    if (!replica) throw error
    await replica.pool.query('select 1')
    return 'reading'
  }
}

/** Finds the owner of a session's or an API token. */
function openAuthentication({ config: { adminsNeedFactor }, database: { db }, now }: AppDeps): Authenticate {
  // A page makes several calls at once with the same session.
  const share = openSharedReads()
  return (token) =>
    share(token, () =>
      isApiToken(token)
        ? authenticateToken(db, token, now())
        : authenticate(db, token, { now: now(), adminsNeedFactor }),
    )
}

/** Opens the read replica for public data, if one is configured. */
function openReplica(app: FastifyInstance, { databaseReadUrl }: Config, log: Log): Database | undefined {
  if (databaseReadUrl === undefined) return undefined
  const replica = openDatabase(databaseReadUrl, { max: REPLICA_POOL_SIZE, applicationName: 'api-reads', log })
  app.addHook('onClose', () => replica.close())
  return replica
}

async function mountAccounts(
  app: FastifyInstance,
  { config, database: { db }, files, log, now }: AppDeps,
  mountDeps: Parameters<typeof mount>[3],
): Promise<void> {
  const { adminsNeedFactor, confirming, publicUrl } = config
  const stopOf = (key: string) => stopSearches(db, key, now())
  const accounts = { db, now, letterhead: config, log, confirming, stopSearches: stopOf }
  const factors = { ...accounts, site: passkeySite(config), adminsNeedFactor }
  const removeAccessSince = async (trx: Db, userId: string, since: Date) => ({
    factors: await removeFactorsSince(trx, userId, since),
    apiTokens: await revokeTokensSince(trx, userId, since),
  })
  const access = { ...openSecondSteps(factors), removeAccessSince, endTokens }
  mount(app, accountEndpoints, accountRoutes({ ...accounts, ...access }), mountDeps)
  mount(app, factorEndpoints, factorRoutes(factors), mountDeps)
  mount(app, garageEndpoints, garageRoutes(accounts), mountDeps)
  mount(app, apiTokenEndpoints, apiTokenRoutes(accounts), mountDeps)
  mount(app, closingEndpoints, closingRoutes(accounts), mountDeps)
  mount(app, ownDataEndpoints, ownDataRoutes({ ...accounts, files }), mountDeps)
  mount(app, savedViewEndpoints, savedViewRoutes(), mountDeps)
  await serveUnsubscribe(app, { ...accounts, publicUrl })
}

function mountListings(
  app: FastifyInstance,
  deps: AppDeps,
  { ask, readPaths, search }: { ask: ReadPartsQuery; readPaths: ReadPaths; search: PartsSearch },
  mountDeps: Parameters<typeof mount>[3],
): void {
  const { files, log, now } = deps
  const { db } = deps.database
  const { reads, ownReads } = readPaths
  const memory = openSearchMemory(now)
  const lists = openLists({ db, reads, memory, farPages: openFarPages(), log, now }, wholeListing)
  app.addHook('onClose', () => lists.close())
  const views = openViewCounter(db, log)
  app.addHook('onClose', () => views.close())
  const isBehind = deps.config.databaseReadUrl !== undefined
  const ownSearch = isBehind ? openSearch(app, deps, { reads: ownReads, ask }) : search
  mount(app, searchEndpoints, searchRoutes({ search, ownSearch, now }), mountDeps)
  mount(app, searchWordEndpoints, searchWordRoutes({ readReach }), mountDeps)
  const letGo = openLetGo(deps)
  const listings = { files, views, log, now, letGo }
  const list = { lists, now }
  mount(app, listingEndpoints, { ...listingRoutes(listings), ...listRoutes(list) }, mountDeps)
  const adminListings = {
    ...adminListingRoutes(listings),
    ...adminListRoutes(list),
    ...bulkEditRoutes({ now, letGo }),
    ...historyRoutes(),
  }
  mount(app, adminListingEndpoints, adminListings, mountDeps)
  mount(app, ownBulkEndpoints, ownBulkRoutes({ now, letGo }), mountDeps)
  mount(app, pricingEndpoints, pricingRoutes({ now }), mountDeps)
  mount(app, pictureEndpoints, pictureRoutes({ files }), mountDeps)
}

/** Feeds and sitemaps for shopping sites and search engines. */
function mountPublicStock(
  app: FastifyInstance,
  { config, database: { db }, now }: AppDeps,
  { reads, suggestions }: { reads: Reads; suggestions: Suggestions },
  mountDeps: Parameters<typeof mount>[3],
): void {
  mount(app, suggestionEndpoints, suggestionRoutes(suggestions), mountDeps)
  app.addHook('onClose', () => suggestions.close())
  mount(app, sellerEndpoints, sellerRoutes(), mountDeps)
  mount(app, interchangeEndpoints, interchangeRoutes(reads), mountDeps)
  mount(app, yardEndpoints, yardRoutes(), mountDeps)
  mount(app, feedEndpoints, feedRoutes(config), mountDeps)
  serveFeeds(app, { db, publicUrl: config.publicUrl })
  serveIndexNowKey(app, config.indexNow)
  serveSitemap(app, { db, publicUrl: config.publicUrl, now })
}

function mountImports(
  app: FastifyInstance,
  { config, files, log, now }: AppDeps,
  vehicles: Vehicles,
  mountDeps: Parameters<typeof mount>[3],
): void {
  mount(app, vinEndpoints, vinRoutes(vehicles), mountDeps)
  const { adminPreview, productName } = config
  const plans = openDatabase(config.databaseDirectUrl ?? config.databaseUrl ?? '', {
    max: COUNTS_AT_ONCE,
    applicationName: 'api-plans',
    statementTimeoutMs: PLAN_STATEMENT_MS,
    log,
  })
  app.addHook('onClose', () => plans.close())
  const policy = { reviewsNothing: config.importReview === 'auto', firstImport: config.firstImport }
  const payouts = { hasPayouts: config.payments.kind !== 'off' }
  const importing = { plans: plans.db, files, now, vehicles, adminPreview, policy, payouts, productName }
  mount(app, importEndpoints, importRoutes(importing), mountDeps)
}

function mountStaging(
  app: FastifyInstance,
  { config, files, now }: AppDeps,
  mountDeps: Parameters<typeof mount>[3],
): void {
  const routes = stagingRoutes({ files, now, folders: config.stagingAllowedPrefixes })
  mount(app, stagingEndpoints, routes.staging, mountDeps)
  mount(app, promotionEndpoints, routes.promotion, mountDeps)
  mount(app, taxonomyEndpoints, routes.taxonomy, mountDeps)
  mount(app, stagingDeskEndpoints, routes.desk, mountDeps)
}
