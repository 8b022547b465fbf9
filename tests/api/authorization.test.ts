import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { otherRoutes, routes } from '#contract/routes.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/**
 * Who may call what. Every route of the contract needs a row here (the type says so); a row is the status that each
 * caller gets for a request without a body. 422 and 404 stand for "let in, then found wanting".
 */
type Callers = [visitor: number, free: number, pro: number, admin: number, disabled: number]

const open = (status: number): Callers => [status, status, status, status, status]
const signedIn = (status: number): Callers => [401, status, status, status, 401]
const admins = (status: number): Callers => [401, 403, 403, status, 401]

// Of what imports: the paid tier. Payouts need not have begun where payments are off.
const importers = (paid: number, admin: number): Callers => [401, 403, paid, admin, 401]

const matrix: Record<keyof typeof routes, Callers> = {
  register: open(422),
  login: open(422),
  logout: signedIn(200),
  authCheck: signedIn(200),
  adminCheck: admins(200),
  profile: signedIn(200),
  updateProfile: signedIn(200),
  requestSignInLink: open(422),
  useSignInLink: open(422),
  requestPasswordReset: open(422),
  checkPasswordLink: open(422),
  resetPassword: open(422),
  checkAddressLink: open(422),
  confirmAddress: open(422),
  restoreAddress: open(422),
  mailAddressLink: signedIn(409),
  cancelEmailChange: signedIn(200),
  unsubscribe: open(422),
  checkMessageLink: open(422),
  confirmMessage: open(422),
  listSessions: signedIn(200),
  endSession: signedIn(404),
  endAllSessions: signedIn(200),
  exportOwnData: signedIn(200),
  closeAccount: signedIn(200),
  readGarage: signedIn(200),
  changeGarage: signedIn(200),
  listTokens: signedIn(200),
  createToken: signedIn(422),
  revokeToken: signedIn(404),
  loginFactor: open(422),
  startPasskeyLogin: open(200),
  listFactors: signedIn(200),
  startPasskey: signedIn(200),
  addPasskey: signedIn(422),
  startTotp: signedIn(200),
  addTotp: signedIn(422),
  removeFactor: signedIn(404),
  replaceRecoveryCodes: signedIn(409),
  startReauth: signedIn(200),
  reauth: signedIn(422),
  listPeople: admins(200),
  readPerson: admins(404),
  changePerson: admins(404),
  signOutPerson: admins(404),
  listNameReviews: admins(200),
  decideYardName: admins(422),
  listAudit: admins(200),
  listViews: signedIn(400),
  saveView: signedIn(422),
  renameView: signedIn(404),
  deleteView: signedIn(404),
  categories: open(200),
  manufacturers: open(200),
  carModels: open(200),
  createCategory: admins(422),
  createManufacturer: admins(422),
  createCarModel: admins(422),
  manageLookups: admins(200),
  renameLookup: admins(404),
  confirmLookup: admins(404),
  mergeLookup: admins(404),
  deleteLookup: admins(404),
  listPublic: open(200),
  countPublic: open(200),
  searchPublic: open(200),
  readCards: open(400),
  readFits: open(400),
  readSuggestions: open(200),
  decodeVin: open(422),
  decodeVins: signedIn(422),
  describeSearch: open(200),
  saveSearch: open(422),
  checkSearchLink: open(422),
  confirmSearches: open(422),
  listSavedSearches: [401, 200, 200, 200, 401],
  changeSavedSearches: open(422),
  removeSavedSearch: open(422),
  listWanted: signedIn(200),
  readInterchange: open(400),
  readInterchangeReport: signedIn(200),
  suggestFits: signedIn(200),
  listClaims: signedIn(200),
  stateClaim: signedIn(422),
  removeClaim: signedIn(404),
  removeNumberClaim: admins(404),
  listSearchWords: admins(200),
  addSearchWord: admins(422),
  changeSearchWord: admins(422),
  removeSearchWord: admins(404),
  readWordReach: admins(200),
  listWordChanges: admins(200),
  undoWordChange: admins(404),
  readOperations: admins(200),
  listEmptySearches: admins(200),
  dismissEmptySearch: admins(422),
  readPublic: open(404),
  countView: open(404),
  readImage: open(404),
  readAroundPart: open(404),
  readDistance: open(400),
  readSeller: open(404),
  readSellerDistance: open(400),
  readYard: signedIn(200),
  changeYard: signedIn(422),
  readFeeds: signedIn(200),
  setFeeds: signedIn(422),
  createPart: signedIn(422),
  createQuickListing: signedIn(422),
  listOwn: signedIn(200),
  countOwnGaps: signedIn(200),
  listOwnIds: signedIn(200),
  readOwn: signedIn(404),
  updateOwn: signedIn(404),
  deleteOwn: signedIn(404),
  endOwn: signedIn(404),
  restoreOwn: signedIn(404),
  changeOwnListings: signedIn(422),
  undoOwnChange: signedIn(404),
  priceHelp: signedIn(200),
  agedPrices: signedIn(400),
  listPictures: signedIn(404),
  addPicture: signedIn(404),
  orderPictures: signedIn(404),
  editPicture: signedIn(404),
  removePicture: signedIn(404),
  matchPictures: signedIn(422),
  listAll: admins(200),
  exportAll: admins(200),
  readAny: admins(404),
  updateAny: admins(404),
  bulkUpdate: admins(422),
  undoChangeSet: admins(404),
  listChangeSets: admins(200),
  listingHistory: admins(404),
  exportParts: signedIn(200),
  readTradeWords: signedIn(200),
  listMappings: importers(200, 200),
  createMapping: importers(422, 422),
  deleteMapping: importers(404, 404),
  importPart: importers(422, 403),
  importCsv: importers(415, 403),
  readShape: importers(422, 403),
  listImports: signedIn(200),
  readImport: signedIn(404),
  confirmImport: signedIn(404),
  readQuestions: signedIn(404),
  answerNames: importers(422, 403),
  readReceipt: signedIn(404),
  answerHeldRows: signedIn(404),
  useFileValues: signedIn(404),
  readRejectedRows: signedIn(404),
  undoImport: signedIn(404),
  readStagingFile: admins(400),
  saveStagingFile: admins(422),
  promote: admins(422),
  listStagingFiles: admins(400),
  readStagingWindow: admins(400),
  patchStagingFile: admins(422),
  listStagingVersions: admins(400),
  diffStagingVersions: admins(400),
  restoreStagingVersion: admins(422),
  planStagingFile: admins(422),
  readStagingPlan: admins(400),
  listPlannedRows: admins(400),
  undoStagingFile: admins(422),
  readTaxonomy: admins(400),
  resolveTaxonomy: admins(422),
  decideName: admins(422),
  listQueues: admins(200),
  changeQueue: admins(404),
  listJobs: admins(200),
  readJob: admins(404),
  enqueueJob: admins(422),
  cancelJob: admins(404),
  retryJob: admins(404),
  controlJob: admins(404),
  streamJob: admins(404),
  readArtifact: admins(404),
  readScriptSettings: admins(200),
  readTextReview: admins(404),
  decideTexts: admins(404),
  writeAcceptedTexts: admins(404),
  downloadLog: admins(404),
  bulkJobs: admins(422),
  listSchedules: admins(200),
  createSchedule: admins(422),
  changeSchedule: admins(404),
  deleteSchedule: admins(404),
  writeToSeller: open(404),
  reportListing: open(404),
  listReports: admins(200),
  confirmReport: open(422),
  decideReport: admins(404),
  publishRest: admins(404),
  listLeads: signedIn(200),
  readLead: signedIn(404),
  setLeadState: signedIn(404),
  answerLead: signedIn(404),
  counterOffer: signedIn(404),
  answerOffer: signedIn(404),
  closeAsSold: signedIn(404),
  readQuickReplies: signedIn(200),
  setQuickReplies: signedIn(422),
  readQuote: open(404),
  placeOrder: open(404),
  quoteParts: open(422),
  placeOrderOfParts: open(422),
  watchPart: open(404),
  readOrder: open(422),
  payOrder: open(422),
  cancelOrder: open(422),
  receiveOrder: open(422),
  answerDelay: open(422),
  replacePickupCode: open(422),
  disownOrder: open(422),
  mailOrderLinks: open(422),
  readInvoice: open(422),
  addReturnPhoto: open(422),
  readReturnPhoto: open(422),
  askReturn: open(422),
  changeReturn: open(422),
  readCoreSlip: open(422),
  listOrders: signedIn(200),
  readSelling: signedIn(200),
  setSelling: signedIn(422),
  listSellerOrders: signedIn(200),
  readSellerOrder: signedIn(404),
  quoteOrder: signedIn(404),
  confirmOrder: signedIn(404),
  missOrder: signedIn(404),
  shipOrder: signedIn(404),
  readShippingList: signedIn(200),
  shipByFile: signedIn(415),
  readyOrder: signedIn(404),
  handOverOrder: signedIn(404),
  refundOrder: signedIn(404),
  restockOrder: signedIn(404),
  answerDispute: signedIn(404),
  readPackingSlip: signedIn(404),
  readPayouts: signedIn(200),
  reviewOrder: open(422),
  reportReview: open(404),
  listReviews: signedIn(200),
  answerReview: signedIn(404),
  listReportedReviews: admins(200),
  decideReview: admins(404),
  readSales: signedIn(200),
  listStatements: signedIn(200),
  readStatementPdf: signedIn(404),
  readStatementCsv: signedIn(404),
  readTrialBalance: admins(400),
  exportTrialBalance: admins(400),
  exportJournal: admins(400),
  exportYearlySales: admins(400),
  answerReturn: signedIn(404),
  addSellerPhoto: signedIn(404),
  readSellerReturnPhoto: signedIn(404),
  listAllOrders: admins(200),
  readAnyOrder: admins(404),
  holdOrder: admins(404),
  releaseOrder: admins(404),
  endOrderLinks: admins(404),
  refundAnyOrder: admins(404),
  readDispute: admins(404),
  readEvidencePhoto: admins(404),
  saveEvidence: admins(404),
  submitEvidence: admins(404),
  readOrderLedger: admins(404),
  readBooks: admins(200),
  decideReturn: admins(404),
  readAnyReturnPhoto: admins(404),
  listConversations: signedIn(200),
  openConversation: signedIn(404),
  readConversation: open(422),
  replyToSeller: open(422),
  offerToSeller: open(422),
  answerCounterOffer: open(422),
  stopConversation: open(422),
  sellerFigures: signedIn(200),
  sellerAnalytics: signedIn(200),
  choosePlan: signedIn(422),
  startFreeOnboarding: signedIn(200),
  startCheckout: signedIn(200),
  upgrade: signedIn(200),
  confirmCheckout: signedIn(422),
  openBillingPortal: signedIn(200),
  refreshAccount: signedIn(200),
  resumeOnboarding: signedIn(200),
  readBalance: signedIn(200),
  openPayoutSettings: signedIn(200),
  readLandingPage: open(404),
  listLandingPages: open(200),
  listTopNames: open(200),
  readRelated: open(404),
  site: open(200),
  askSupport: open(422),
  reportWebVital: open(422),
}

/** Calls that sign their caller out. */
const ENDING = ['logout', 'endAllSessions', 'closeAccount']

const NOBODY = '00000000-0000-7000-8000-000000000000'
const pathOf = (path: string, id = NOBODY) =>
  path
    .replace('{page}', '1')
    .replace('{slug}', 'no-such-part')
    .replace('{kind}', 'category')
    .replace('{key}', 'no-such-queue')
    .replace('{artifactId}', NOBODY)
    .replace('{id}', id)

// Where payments are off nobody has to be asked who is not there.
const app = await startTestApp({ PAYMENTS: 'off' })

const disable = (userId: string) =>
  app.db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', userId).execute()

async function everyKindOfCaller(): Promise<ApiClient[]> {
  const [free, pro, admin, gone] = await Promise.all([
    app.signUp(),
    app.signUp({ tier: 'PAID' }),
    app.signUp({ role: 'admin' }),
    app.signUp(),
  ])
  await disable(gone.user.id)
  return [app.visitor, free.api, pro.api, admin.api, gone.api]
}

describe('authorization of every route', () => {
  let callers: ApiClient[]
  beforeAll(async () => {
    callers = await everyKindOfCaller()
  })

  test.each(Object.entries(routes))('%s', async (name, [method, path]) => {
    const asked = ENDING.includes(name) ? await everyKindOfCaller() : callers
    const statuses = []
    for (const caller of asked) {
      statuses.push((await caller.send({ method, path: pathOf(path) })).status)
    }
    expect(statuses).toEqual(matrix[name as keyof typeof routes])
  })
})

// With payments, for the address of the provider's events.
const withPayments = await startTestApp()

/**
 * What each address beside the calls answers a visitor and an admin alike. The payment provider is known by its signature, and
 * the outbox opens under the product's own address only.
 */
const others: Record<keyof typeof otherRoutes, number> = {
  stripeWebhook: 400,
  securityTxt: 200,
  unsubscribeNow: 410,
  unsubscribePage: 302,
  health: 200,
  readiness: 200,
  metrics: 200,
  openApi: 200,
  apiDocs: 200,
  outbox: 403,
  homePage: 200,
  webFiles: 404,
  partsPage: 200,
  partPage: 404,
  sendPartForm: 404,
  sendSupportForm: 200,
  sendSearchForm: 200,
  categoryPage: 404,
  manufacturerPage: 404,
  modelPage: 404,
  modelPartsPage: 404,
  formerModelPage: 404,
  sellerPage: 404,
  robotsTxt: 200,
  sitemap: 200,
  sitemapFile: 404,
  indexNowKey: 404,
  googleFeed: 404,
  metaFeed: 404,
}

describe('a path that is not a call gets the same response for everyone', () => {
  test.each(Object.entries(otherRoutes))('%s', async (name, [method, path]) => {
    // Capitals would lead to the address in small letters.
    const url = path.replace('{slug}', 'no-such-part').replace('{file}', 'no-such-file.js').toLowerCase()
    const admin = await withPayments.signUp({ role: 'admin' })
    const statuses = []
    for (const headers of [{}, { authorization: `Bearer ${admin.api.token}` }]) {
      const answer = await withPayments.http.inject({
        method,
        url,
        headers: { ...headers, host: 'elsewhere.example' },
      })
      statuses.push(answer.statusCode)
    }
    const status = others[name as keyof typeof otherRoutes]
    expect(statuses).toEqual([status, status])
  })
})

describe('another seller’s listing does not exist', () => {
  let owner: SignedIn
  let other: SignedIn
  let listing: Listing
  beforeAll(async () => {
    owner = await app.signUp()
    other = await app.signUp({ tier: 'PAID' })
    listing = await makeQuickListing(owner.api)
  })
  afterEach(async () => {
    const { body } = await owner.api.get<Listing>(`/seller/parts/${listing.id}`)
    expect(body).toEqual(listing)
  })

  const ownRoutes = Object.entries(routes).filter(
    ([, [, path]]) => /^\/(seller|listings)\//.test(path) && path.includes('{id}'),
  )
  test.each(ownRoutes)('%s', async (_name, [method, ownPath]) => {
    const path = pathOf(ownPath, listing.id)
    const answer = await other.api.send<{ code: string }>({
      method,
      path,
      body: { partname: 'Mine' },
    })
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('ownership is asked before the body is read', async () => {
    const change = (caller: ApiClient, body: unknown) =>
      caller.send({
        method: 'PUT',
        path: `/seller/parts/${listing.id}`,
        body,
        headers: { 'content-type': 'application/json' },
      })
    const wrong = '{"partprice":"nonsense"}'
    const broken = '{"partprice":'
    const statuses = []
    for (const { api } of [other, owner]) {
      statuses.push((await change(api, wrong)).status, (await change(api, broken)).status)
    }
    expect(statuses).toEqual([404, 404, 422, 400])
  })
})

test('role and tier are read from the database at every request', async () => {
  const admin = await app.signUp({ role: 'admin' })
  expect((await admin.api.get('/admin-check')).status).toBe(200)
  await app.db.updateTable('app_user').set({ role: 0 }).where('id', '=', admin.user.id).execute()
  const refused = await admin.api.get<{ ok: boolean; error: string }>('/admin-check')
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ ok: false, error: expect.any(String) })
})
