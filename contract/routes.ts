/*
 * The product's table of contents: every call of the API, and below it every other route of the server. Summaries, schemas
 * and declared errors are in the file that each heading names; handlers have the same names.
 */

/**
 * Who may call. `anyone` reads an optional token (owners and admins may see more); `admin` is role 1; `pro` is a
 * seller on the paid tier. Rights over a single record (ownership) are the handler's guard.
 */
export type Access = 'public' | 'anyone' | 'user' | 'pro' | 'admin'

/** Which rate limit applies to a call; the server sets the numbers (`server/platform/http/limits/rate-limits.ts`). */
export type LimitClass = 'read' | 'write' | 'import' | 'sign-in' | 'register' | 'mail' | 'payments'

/** What an API token may be allowed to do. A call without a scope cannot be made with a token. */
export const apiScopes = [
  'listings:read',
  'listings:write',
  'imports:read',
  'imports:write',
  'messages:read',
] as const
export type ApiScope = (typeof apiScopes)[number]

/** A path below `/api` has its parameters as `{name}`. */
export type Route = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: `/${string}`,
  access: Access,
  limit: LimitClass,
  /**
   * The scope that an API token needs; or `fresh`: the caller signed in or confirmed the password within the last minutes,
   * otherwise 403 REAUTH_NEEDED. No call has both, since a token has no password to confirm.
   */
  needs?: ApiScope | 'fresh',
]

// biome-ignore format: aligned columns, one line for each call
export const routes = {
  /* Accounts and sessions (account/accounts.ts) */
  register:              ['POST',   '/register',                                          'public', 'register'],
  login:                 ['POST',   '/login',                                             'public', 'sign-in'],
  loginFactor:           ['POST',   '/login/factor',                                      'public', 'sign-in'],
  startPasskeyLogin:     ['POST',   '/login/passkey',                                     'public', 'sign-in'],
  logout:                ['POST',   '/logout',                                            'user',   'write'],
  authCheck:             ['GET',    '/auth-check',                                        'user',   'read'],
  adminCheck:            ['GET',    '/admin-check',                                       'admin',  'read'],
  profile:               ['GET',    '/profile/me',                                        'user',   'read'],
  updateProfile:         ['PUT',    '/profile',                                           'user',   'write'],
  requestSignInLink:         ['POST',   '/verify/sign-in-links',                              'public', 'mail'],
  useSignInLink:         ['POST',   '/verify/sign-in-link',                               'public', 'sign-in'],
  requestPasswordReset:      ['POST',   '/password-reset',                                    'public', 'mail'],
  checkPasswordLink:     ['POST',   '/verify/password-link',                              'public', 'sign-in'],
  resetPassword:         ['POST',   '/password-reset/confirm',                            'public', 'sign-in'],
  checkAddressLink:      ['POST',   '/verify/address-link',                               'public', 'sign-in'],
  confirmAddress:        ['POST',   '/verify/email',                                      'public', 'sign-in'],
  restoreAddress:        ['POST',   '/verify/former-email',                               'public', 'sign-in'],
  mailAddressLink:       ['POST',   '/profile/email-link',                                'user',   'mail'],
  cancelEmailChange:     ['DELETE', '/profile/pending-email',                             'user',   'write'],
  unsubscribe:           ['POST',   '/verify/unsubscribe',                                'public', 'sign-in'],
  listSessions:          ['GET',    '/sessions',                                          'user',   'read'],
  endSession:            ['DELETE', '/sessions/{id}',                                     'user',   'write', 'fresh'],
  endAllSessions:        ['DELETE', '/sessions',                                          'user',   'write', 'fresh'],

  /* Two-step sign-in, and confirming who is at the keyboard (account/accounts.ts) */
  listFactors:           ['GET',    '/factors',                                           'user',   'read'],
  startPasskey:          ['POST',   '/factors/passkeys/start',                            'user',   'write', 'fresh'],
  addPasskey:            ['POST',   '/factors/passkeys',                                  'user',   'write', 'fresh'],
  startTotp:             ['POST',   '/factors/totp/start',                                'user',   'write', 'fresh'],
  addTotp:               ['POST',   '/factors/totp',                                      'user',   'sign-in', 'fresh'],
  removeFactor:          ['DELETE', '/factors/{id}',                                      'user',   'write', 'fresh'],
  replaceRecoveryCodes:  ['POST',   '/factors/recovery-codes',                            'user',   'write', 'fresh'],
  startReauth:           ['POST',   '/reauth/start',                                      'user',   'write'],
  reauth:                ['POST',   '/reauth',                                            'user',   'sign-in'],

  /* Everything we store about a person, and closing the account (account/accounts.ts) */
  exportOwnData:         ['GET',    '/account/data.zip',                                  'user',   'write'],
  closeAccount:          ['POST',   '/account/close',                                     'user',   'write', 'fresh'],

  /* A buyer’s vehicles and saved parts (account/garage.ts) */
  readGarage:            ['GET',    '/profile/garage',                                    'user',   'read'],
  changeGarage:          ['PUT',    '/profile/garage',                                    'user',   'write'],

  /* Tokens for a dealer’s own system (account/api-tokens.ts) */
  listTokens:            ['GET',    '/api-tokens',                                        'user',   'read'],
  createToken:           ['POST',   '/api-tokens',                                        'user',   'write', 'fresh'],
  revokeToken:           ['DELETE', '/api-tokens/{id}',                                   'user',   'write'],

  /* Plans, subscriptions and payouts (account/billing.ts) */
  choosePlan:            ['POST',   '/onboarding/plan',                                   'user',   'write'],
  startFreeOnboarding:   ['POST',   '/onboarding/free/start',                             'user',   'payments'],
  startCheckout:         ['POST',   '/subscription/checkout',                             'user',   'payments'],
  upgrade:               ['POST',   '/subscription/upgrade',                              'user',   'payments'],
  confirmCheckout:       ['POST',   '/subscription/status',                               'user',   'payments'],
  openBillingPortal:     ['POST',   '/subscription/portal',                               'user',   'payments'],
  refreshAccount:        ['POST',   '/get-account-status',                                'user',   'payments'],
  resumeOnboarding:      ['POST',   '/create-connect-account',                            'user',   'payments'],
  readBalance:           ['POST',   '/get-account-balance',                               'user',   'payments'],
  openPayoutSettings:    ['POST',   '/payout-setting',                                    'user',   'payments', 'fresh'],

  /* Finding parts (search/parts-search.ts, search/suggestions.ts) */
  searchPublic:          ['GET',    '/parts',                                             'anyone', 'read'],
  readCards:             ['GET',    '/parts/cards',                                       'public', 'read'],
  readSuggestions:       ['GET',    '/search/suggestions',                                'public', 'read'],

  /* Interchangeable part numbers, as stated by sellers (search/interchange.ts) */
  readInterchange:       ['GET',    '/public/interchange',                                'public', 'read'],
  readInterchangeReport: ['GET',    '/seller/interchange/report',                         'user',   'read',     'listings:read'],
  suggestFits:           ['GET',    '/seller/interchange/fits',                           'user',   'read',     'listings:read'],
  listClaims:            ['GET',    '/seller/interchange',                                'user',   'read',     'listings:read'],
  stateClaim:            ['POST',   '/seller/interchange',                                'user',   'write',    'listings:write'],
  removeClaim:           ['DELETE', '/seller/interchange/{id}',                           'user',   'write',    'listings:write'],
  removeNumberClaim:     ['DELETE', '/admin/interchange/{id}',                            'admin',  'write'],

  /* What a VIN says (vehicle/vin.ts) */
  decodeVin:             ['GET',    '/vin/{vin}',                                         'public', 'read'],
  decodeVins:            ['POST',   '/vin/decode',                                        'user',   'read', 'listings:read'],

  /* Saved searches, and what buyers near a yard wait for (search/saved-searches.ts) */
  describeSearch:        ['GET',    '/saved-searches/title',                              'public', 'read'],
  saveSearch:            ['POST',   '/saved-searches/new',                                'anyone', 'mail'],
  checkSearchLink:       ['POST',   '/saved-searches/link',                               'public', 'sign-in'],
  confirmSearches:       ['POST',   '/saved-searches/confirm',                            'public', 'sign-in'],
  listSavedSearches:     ['POST',   '/saved-searches/list',                               'anyone', 'sign-in'],
  changeSavedSearches:   ['POST',   '/saved-searches/change',                             'anyone', 'sign-in'],
  removeSavedSearch:     ['POST',   '/saved-searches/remove',                             'anyone', 'sign-in'],
  listWanted:            ['GET',    '/seller/wanted',                                     'user',   'read'],

  /* What buyers call things, and searches that found nothing (search/search-words.ts) */
  listSearchWords:       ['GET',    '/admin/search/words',                                'admin',  'read'],
  addSearchWord:         ['POST',   '/admin/search/words',                                'admin',  'write'],
  changeSearchWord:      ['PUT',    '/admin/search/words/{id}',                           'admin',  'write'],
  removeSearchWord:      ['DELETE', '/admin/search/words/{id}',                           'admin',  'write'],
  readWordReach:         ['GET',    '/admin/search/words/reach',                          'admin',  'read'],
  listWordChanges:       ['GET',    '/admin/search/word-changes',                         'admin',  'read'],
  undoWordChange:        ['POST',   '/admin/search/word-changes/{id}/undo',               'admin',  'write'],
  listEmptySearches:     ['GET',    '/admin/search/empty-searches',                       'admin',  'read'],
  dismissEmptySearch:    ['POST',   '/admin/search/empty-searches/dismiss',               'admin',  'write'],

  /* What needs an operator (admin/operations.ts) */
  readOperations:        ['GET',    '/admin/operations',                                  'admin',  'read'],

  /* Listings in public (listings.ts) */
  listPublic:            ['GET',    '/list-auto-parts/{page}',                            'public', 'read'],
  countPublic:           ['GET',    '/auto-parts-count',                                  'public', 'read'],
  readPublic:            ['GET',    '/auto-part/{slug}',                                  'anyone', 'read'],
  countView:             ['POST',   '/parts/{slug}/views',                                'public', 'read'],
  readImage:             ['GET',    '/auto-part/image/{id}',                              'public', 'read'],

  /* The rest of a part’s page (pages/part-page.ts) */
  readAroundPart:        ['GET',    '/parts/{slug}/around',                               'public', 'read'],
  readFits:              ['GET',    '/parts/fits',                                        'public', 'read'],
  readDistance:          ['GET',    '/parts/{slug}/distance',                             'public', 'read'],

  /* Sellers in public, and their feeds for shopping sites (pages/sellers.ts) */
  readSeller:            ['GET',    '/sellers/{slug}',                                    'public', 'read'],
  readSellerDistance:    ['GET',    '/sellers/{slug}/distance',                           'public', 'read'],
  readFeeds:             ['GET',    '/seller/feeds',                                      'user',   'read'],
  setFeeds:              ['PUT',    '/seller/feeds',                                      'user',   'write'],

  /* A yard's profile on its page (pages/yard.ts) */
  readYard:              ['GET',    '/seller/yard',                                       'user',   'read'],
  changeYard:            ['PUT',    '/seller/yard',                                       'user',   'write'],

  /* A seller’s own listings (listings.ts) */
  createPart:            ['POST',   '/seller/parts',                                      'user',   'write',    'listings:write'],
  createQuickListing:    ['POST',   '/seller/quick-listings',                             'user',   'write',    'listings:write'],
  listOwn:               ['GET',    '/seller/parts',                                      'user',   'read',     'listings:read'],
  countOwnGaps:          ['GET',    '/seller/listing-gaps',                               'user',   'read',     'listings:read'],
  listOwnIds:            ['GET',    '/seller/listing-ids',                                'user',   'read',     'listings:read'],
  readOwn:               ['GET',    '/seller/parts/{id}',                                 'user',   'read',     'listings:read'],
  updateOwn:             ['PUT',    '/seller/parts/{id}',                                 'user',   'write',    'listings:write'],
  deleteOwn:             ['DELETE', '/seller/parts/{id}',                                 'user',   'write',    'listings:write'],
  endOwn:                ['POST',   '/seller/parts/{id}/end',                             'user',   'write',    'listings:write'],
  restoreOwn:            ['POST',   '/seller/parts/{id}/restore',                         'user',   'write',    'listings:write'],
  changeOwnListings:     ['POST',   '/seller/parts/bulk',                                 'user',   'write',    'listings:write'],
  undoOwnChange:         ['POST',   '/seller/change-sets/{id}/undo',                      'user',   'write',    'listings:write'],

  /* Prices of similar parts, for sellers (listing/pricing.ts) */
  priceHelp:             ['GET',    '/seller/price-help',                                 'user',   'read',     'listings:read'],
  agedPrices:            ['GET',    '/seller/aged-prices',                                'user',   'read',     'listings:read'],

  /* Pictures of a listing, for its seller and admins (pictures.ts) */
  listPictures:          ['GET',    '/listings/{id}/pictures',                            'user',   'read',     'listings:read'],
  addPicture:            ['POST',   '/listings/{id}/pictures',                            'user',   'write',    'listings:write'],
  orderPictures:         ['PUT',    '/listings/{id}/pictures/order',                      'user',   'write',    'listings:write'],
  editPicture:           ['PUT',    '/pictures/{id}',                                     'user',   'write',    'listings:write'],
  removePicture:         ['DELETE', '/pictures/{id}',                                     'user',   'write',    'listings:write'],
  matchPictures:         ['POST',   '/pictures/matches',                                  'user',   'write',    'listings:read'],

  /* Everyone’s listings, bulk edits and history, for admins (admin/listings.ts) */
  listAll:               ['GET',    '/admin/parts',                                       'admin',  'read'],
  exportAll:             ['GET',    '/admin/parts/export',                                'admin',  'write'],
  readAny:               ['GET',    '/admin/parts/{id}',                                  'admin',  'read'],
  updateAny:             ['PUT',    '/auto-parts/{id}',                                   'admin',  'write'],
  bulkUpdate:            ['POST',   '/admin/parts/bulk-update',                           'admin',  'write'],
  listChangeSets:        ['GET',    '/admin/change-sets',                                 'admin',  'read'],
  undoChangeSet:         ['POST',   '/admin/change-sets/{id}/undo',                       'admin',  'write'],
  listingHistory:        ['GET',    '/admin/parts/{id}/history',                          'admin',  'read'],

  /* Categories, manufacturers and models (lookups.ts) */
  categories:            ['GET',    '/categories',                                        'anyone', 'read'],
  manufacturers:         ['GET',    '/manufacturers',                                     'anyone', 'read'],
  carModels:             ['GET',    '/carmodels',                                         'anyone', 'read'],
  createCategory:        ['POST',   '/category',                                          'admin',  'write'],
  createManufacturer:    ['POST',   '/manufacturer',                                      'admin',  'write'],
  createCarModel:        ['POST',   '/carmodel',                                          'admin',  'write'],
  manageLookups:         ['GET',    '/admin/lookups/{kind}',                              'admin',  'read'],
  renameLookup:          ['PUT',    '/admin/lookups/{kind}/{id}',                         'admin',  'write'],
  confirmLookup:         ['POST',   '/admin/lookups/{kind}/{id}/confirm',                 'admin',  'write'],
  mergeLookup:           ['POST',   '/admin/lookups/{kind}/{id}/merge',                   'admin',  'write'],
  deleteLookup:          ['DELETE', '/admin/lookups/{kind}/{id}',                         'admin',  'write'],

  /* Landing pages and links between pages (landing.ts) */
  readLandingPage:       ['GET',    '/landing/{kind}/{slug}',                             'public', 'read'],
  listLandingPages:      ['GET',    '/landing/{kind}',                                    'public', 'read'],
  listTopNames:          ['GET',    '/public/top-names',                                  'public', 'read'],
  readRelated:           ['GET',    '/auto-part/{slug}/related',                          'public', 'read'],

  /* Messages from buyers (leads.ts) */
  writeToSeller:         ['POST',   '/parts/{slug}/messages',                             'anyone', 'mail'],
  checkMessageLink:      ['POST',   '/messages/link',                                     'public', 'sign-in'],
  confirmMessage:        ['POST',   '/messages/confirm',                                  'public', 'sign-in'],
  listLeads:             ['GET',    '/seller/leads',                                      'user',   'read',     'messages:read'],
  readLead:              ['GET',    '/seller/leads/{id}',                                 'user',   'read',     'messages:read'],
  setLeadState:          ['PUT',    '/seller/leads/{id}',                                 'user',   'write'],
  answerLead:            ['POST',   '/seller/leads/{id}/answers',                         'user',   'mail'],
  counterOffer:          ['POST',   '/seller/leads/{id}/offers',                          'user',   'mail'],
  answerOffer:           ['POST',   '/seller/leads/{id}/offer-answer',                    'user',   'mail'],
  closeAsSold:           ['POST',   '/seller/leads/{id}/sold',                            'user',   'write'],
  readQuickReplies:      ['GET',    '/seller/quick-replies',                              'user',   'read'],
  setQuickReplies:       ['PUT',    '/seller/quick-replies',                              'user',   'write'],

  /* The buyer’s side of a conversation, by the link of an email or signed in (pages/conversations.ts) */
  listConversations:     ['GET',    '/conversations',                                     'user',   'read'],
  openConversation:      ['POST',   '/conversations/{id}/link',                           'user',   'write'],
  readConversation:      ['POST',   '/messages/conversation',                             'public', 'sign-in'],
  replyToSeller:         ['POST',   '/messages/reply',                                    'public', 'mail'],
  offerToSeller:         ['POST',   '/messages/offer',                                    'public', 'mail'],
  answerCounterOffer:    ['POST',   '/messages/offer-answer',                             'public', 'mail'],
  stopConversation:      ['POST',   '/messages/stop',                                     'public', 'sign-in'],

  /* Orders: the buyer’s side, by the token of a link or signed in (order/order-calls.ts) */
  readQuote:             ['GET',    '/parts/{slug}/quote',                                'public', 'read'],
  placeOrder:            ['POST',   '/parts/{slug}/orders',                               'anyone', 'payments'],
  quoteParts:            ['POST',   '/orders/quote',                                      'public', 'read'],
  placeOrderOfParts:     ['POST',   '/orders/new',                                        'anyone', 'payments'],
  watchPart:             ['POST',   '/parts/{slug}/held-watch',                           'public', 'mail'],
  readOrder:             ['POST',   '/orders/read',                                       'anyone', 'sign-in'],
  payOrder:              ['POST',   '/orders/pay',                                        'anyone', 'payments'],
  cancelOrder:           ['POST',   '/orders/cancel',                                     'anyone', 'sign-in'],
  receiveOrder:          ['POST',   '/orders/received',                                   'anyone', 'sign-in'],
  answerDelay:           ['POST',   '/orders/delay',                                      'anyone', 'sign-in'],
  replacePickupCode:     ['POST',   '/orders/code',                                       'anyone', 'sign-in'],
  disownOrder:           ['POST',   '/orders/not-mine',                                   'public', 'sign-in'],
  mailOrderLinks:        ['POST',   '/orders/links',                                      'public', 'mail'],
  readInvoice:           ['POST',   '/orders/invoice.pdf',                                'anyone', 'sign-in'],
  listOrders:            ['GET',    '/orders',                                            'user',   'read'],

  /* Orders: the yard’s side (order/order-calls.ts, order/shipping/shipping-list.ts, order/disputes/dispute-calls.ts, order/money/release-views.ts) */
  readSelling:           ['GET',    '/seller/selling',                                    'user',   'read'],
  setSelling:            ['PUT',    '/seller/selling',                                    'user',   'write'],
  listSellerOrders:      ['GET',    '/seller/orders',                                     'user',   'read'],
  readSellerOrder:       ['GET',    '/seller/orders/{id}',                                'user',   'read'],
  quoteOrder:            ['POST',   '/seller/orders/{id}/quote',                          'user',   'write'],
  confirmOrder:          ['POST',   '/seller/orders/{id}/confirm',                        'user',   'write'],
  missOrder:             ['POST',   '/seller/orders/{id}/not-found',                      'user',   'write'],
  shipOrder:             ['POST',   '/seller/orders/{id}/ship',                           'user',   'write'],
  readShippingList:      ['GET',    '/seller/orders/to-ship.csv',                         'user',   'read'],
  shipByFile:            ['POST',   '/seller/orders/ship',                                'user',   'write'],
  readyOrder:            ['POST',   '/seller/orders/{id}/ready',                          'user',   'write'],
  handOverOrder:         ['POST',   '/seller/orders/{id}/hand-over',                      'user',   'write'],
  refundOrder:           ['POST',   '/seller/orders/{id}/refund',                         'user',   'write'],
  restockOrder:          ['POST',   '/seller/orders/{id}/restock',                        'user',   'write'],
  answerDispute:         ['POST',   '/seller/orders/{id}/dispute',                        'user',   'write'],
  readPackingSlip:       ['GET',    '/seller/orders/{id}/slip.pdf',                       'user',   'read'],
  readPayouts:           ['GET',    '/seller/payouts',                                    'user',   'read'],

  /* Reviews of yards, from orders only (order/review-calls.ts) */
  reviewOrder:           ['POST',   '/orders/review',                                     'anyone', 'sign-in'],
  reportReview:          ['POST',   '/public/reviews/{id}/reports',                       'anyone', 'mail'],
  listReviews:           ['GET',    '/seller/reviews',                                    'user',   'read'],
  answerReview:          ['POST',   '/seller/reviews/{id}/answer',                        'user',   'write'],
  listReportedReviews:   ['GET',    '/admin/reviews',                                     'admin',  'read'],
  decideReview:          ['POST',   '/admin/reviews/{id}/decision',                       'admin',  'write'],

  /* Statements of yards, and the books (order/money/book-calls.ts) */
  readSales:             ['GET',    '/seller/sales',                                      'user',   'read'],
  listStatements:        ['GET',    '/seller/statements',                                 'user',   'read'],
  readStatementPdf:      ['GET',    '/seller/statements/{month}/statement.pdf',           'user',   'read'],
  readStatementCsv:      ['GET',    '/seller/statements/{month}/statement.csv',           'user',   'read'],
  readTrialBalance:      ['GET',    '/admin/books/balances',                              'admin',  'read'],
  exportTrialBalance:    ['GET',    '/admin/books/trial-balance.csv',                     'admin',  'read'],
  exportJournal:         ['GET',    '/admin/books/journal.csv',                           'admin',  'read'],
  exportYearlySales:     ['GET',    '/admin/books/yearly-sales.csv',                      'admin',  'read'],

  /* Orders: administrators (order/order-calls.ts, order/disputes/dispute-calls.ts) */
  listAllOrders:         ['GET',    '/admin/orders',                                      'admin',  'read'],
  readAnyOrder:          ['GET',    '/admin/orders/{id}',                                 'admin',  'read'],
  holdOrder:             ['POST',   '/admin/orders/{id}/hold',                            'admin',  'write'],
  releaseOrder:          ['POST',   '/admin/orders/{id}/release',                         'admin',  'write'],
  endOrderLinks:         ['POST',   '/admin/orders/{id}/links/end',                       'admin',  'write'],
  refundAnyOrder:        ['POST',   '/admin/orders/{id}/refund',                          'admin',  'write', 'fresh'],
  readDispute:           ['GET',    '/admin/orders/{id}/dispute',                         'admin',  'read'],
  readEvidencePhoto:     ['GET',    '/admin/orders/{id}/dispute/photos/{photoId}',        'admin',  'read'],
  saveEvidence:          ['PUT',    '/admin/orders/{id}/dispute',                         'admin',  'write'],
  submitEvidence:        ['POST',   '/admin/orders/{id}/dispute/submit',                  'admin',  'write'],
  readOrderLedger:       ['GET',    '/admin/orders/{id}/ledger',                          'admin',  'read'],
  readBooks:             ['GET',    '/admin/books',                                       'admin',  'read'],

  /* Orders: returns, claims and cores, of each side (order/returns/return-calls.ts) */
  addReturnPhoto:        ['POST',   '/orders/photos',                                     'anyone', 'write'],
  readReturnPhoto:       ['POST',   '/orders/photo',                                      'anyone', 'sign-in'],
  askReturn:             ['POST',   '/orders/return',                                     'anyone', 'write'],
  changeReturn:          ['POST',   '/orders/return/step',                                'anyone', 'write'],
  readCoreSlip:          ['POST',   '/orders/core-slip.pdf',                              'anyone', 'sign-in'],
  addSellerPhoto:        ['POST',   '/seller/orders/{id}/photos',                         'user',   'write'],
  answerReturn:          ['POST',   '/seller/orders/{id}/returns/{returnId}',             'user',   'write'],
  readSellerReturnPhoto: ['GET',    '/seller/orders/{id}/photos/{photoId}',               'user',   'read'],
  decideReturn:          ['POST',   '/admin/orders/{id}/returns/{returnId}',              'admin',  'write'],
  readAnyReturnPhoto:    ['GET',    '/admin/orders/{id}/photos/{photoId}',                'admin',  'read'],

  /* Reports about listings (reports.ts) */
  reportListing:         ['POST',   '/parts/{slug}/reports',                              'anyone', 'mail'],
  confirmReport:         ['POST',   '/verify/report',                                     'public', 'sign-in'],
  listReports:           ['GET',    '/admin/reports',                                     'admin',  'read'],
  decideReport:          ['POST',   '/admin/reports/{id}/decision',                       'admin',  'write'],
  publishRest:           ['POST',   '/admin/imports/{id}/publish-rest',                   'admin',  'write'],

  /* Analytics (analytics.ts) */
  sellerFigures:         ['GET',    '/seller/figures',                                    'user',   'read'],
  sellerAnalytics:       ['GET',    '/seller/analytics',                                  'user',   'read'],

  /* Bulk import: mapping templates, files, undo, export (imports.ts) */
  readTradeWords:        ['GET',    '/pro/trade-words',                                   'user',   'read',     'imports:read'],
  listMappings:          ['GET',    '/pro/mappings',                                      'user',   'read',     'imports:read'],
  createMapping:         ['POST',   '/pro/mappings',                                      'user',   'write',    'imports:write'],
  deleteMapping:         ['DELETE', '/pro/mappings/{id}',                                 'user',   'write',    'imports:write'],
  importPart:            ['POST',   '/pro/bulk/parts',                                    'user',   'write',    'imports:write'],
  importCsv:             ['POST',   '/pro/bulk/parts/csv',                                'user',   'import',   'imports:write'],
  readShape:             ['POST',   '/pro/bulk/shape',                                    'user',   'read',     'imports:read'],
  listImports:           ['GET',    '/pro/imports',                                       'user',   'read',     'imports:read'],
  readImport:            ['GET',    '/pro/imports/{id}',                                  'user',   'read',     'imports:read'],
  confirmImport:         ['POST',   '/pro/imports/{id}/confirm',                          'user',   'write',    'imports:write'],
  readQuestions:         ['GET',    '/pro/imports/{id}/questions',                        'user',   'read',     'imports:read'],
  answerNames:           ['POST',   '/pro/names',                                         'user',   'write',    'imports:write'],
  readReceipt:           ['GET',    '/pro/imports/{id}/receipt',                          'user',   'read',     'imports:read'],
  answerHeldRows:        ['POST',   '/pro/imports/{id}/held',                             'user',   'write',    'imports:write'],
  useFileValues:         ['POST',   '/pro/imports/{id}/kept',                             'user',   'write',    'imports:write'],
  readRejectedRows:      ['GET',    '/pro/imports/{id}/rejected.csv',                     'user',   'read',     'imports:read'],
  undoImport:            ['POST',   '/pro/imports/{id}/undo',                             'user',   'write',    'imports:write'],
  exportParts:           ['GET',    '/seller/parts.csv',                                  'user',   'write',    'listings:read'],

  /* Staged files (admin/staging.ts) */
  listStagingFiles:      ['GET',    '/admin/automation/staging/files',                    'admin',  'read'],
  readStagingFile:       ['GET',    '/admin/automation/staging/file',                     'admin',  'read'],
  saveStagingFile:       ['PUT',    '/admin/automation/staging/file',                     'admin',  'write'],
  readStagingWindow:     ['GET',    '/admin/automation/staging/rows',                     'admin',  'read'],
  patchStagingFile:      ['POST',   '/admin/automation/staging/patch',                    'admin',  'write'],
  listStagingVersions:   ['GET',    '/admin/automation/staging/versions',                 'admin',  'read'],
  diffStagingVersions:   ['GET',    '/admin/automation/staging/diff',                     'admin',  'read'],
  restoreStagingVersion: ['POST',   '/admin/automation/staging/restore',                  'admin',  'write'],
  planStagingFile:       ['POST',   '/admin/automation/staging/plan',                     'admin',  'write'],
  readStagingPlan:       ['GET',    '/admin/automation/staging/plan',                     'admin',  'read'],
  listPlannedRows:       ['GET',    '/admin/automation/staging/plan/rows',                'admin',  'read'],
  promote:               ['POST',   '/admin/automation/staging/promote',                  'admin',  'write'],
  undoStagingFile:       ['POST',   '/admin/automation/staging/undo',                     'admin',  'write'],

  /* Names in staged files (admin/taxonomy.ts) */
  readTaxonomy:          ['GET',    '/admin/automation/staging/taxonomy',                 'admin',  'read'],
  resolveTaxonomy:       ['POST',   '/admin/automation/staging/taxonomy',                 'admin',  'write'],
  decideName:            ['POST',   '/admin/automation/staging/taxonomy/decisions',       'admin',  'write'],

  /* Queues and jobs (admin/automation.ts) */
  listQueues:            ['GET',    '/admin/automation/queues',                           'admin',  'read'],
  changeQueue:           ['PUT',    '/admin/automation/queues/{key}',                     'admin',  'write'],
  listJobs:              ['GET',    '/admin/automation/jobs',                             'admin',  'read'],
  enqueueJob:            ['POST',   '/admin/automation/jobs',                             'admin',  'write'],
  bulkJobs:              ['POST',   '/admin/automation/jobs/bulk',                        'admin',  'write'],
  readJob:               ['GET',    '/admin/automation/jobs/{id}',                        'admin',  'read'],
  cancelJob:             ['POST',   '/admin/automation/jobs/{id}/cancel',                 'admin',  'write'],
  retryJob:              ['POST',   '/admin/automation/jobs/{id}/retry',                  'admin',  'write'],
  controlJob:            ['POST',   '/admin/automation/jobs/{id}/control',                'admin',  'write'],
  streamJob:             ['GET',    '/admin/automation/jobs/{id}/stream',                 'admin',  'read'],
  downloadLog:           ['GET',    '/admin/automation/jobs/{id}/log',                    'admin',  'read'],
  readArtifact:          ['GET',    '/admin/automation/jobs/{id}/artifacts/{artifactId}', 'admin',  'read'],
  readScriptSettings:    ['GET',    '/admin/automation/scripts',                          'admin',  'read'],

  /* Texts of a dry run (admin/scripts.ts) */
  readTextReview:        ['GET',    '/admin/automation/jobs/{id}/texts',                  'admin',  'read'],
  decideTexts:           ['PUT',    '/admin/automation/jobs/{id}/texts',                  'admin',  'write'],
  writeAcceptedTexts:    ['POST',   '/admin/automation/jobs/{id}/texts/write',            'admin',  'write'],

  /* Schedules (admin/automation.ts) */
  listSchedules:         ['GET',    '/admin/automation/schedules',                        'admin',  'read'],
  createSchedule:        ['POST',   '/admin/automation/schedules',                        'admin',  'write'],
  changeSchedule:        ['PUT',    '/admin/automation/schedules/{id}',                   'admin',  'write'],
  deleteSchedule:        ['DELETE', '/admin/automation/schedules/{id}',                   'admin',  'write'],

  /* People and the audit log (admin/people.ts) */
  listPeople:            ['GET',    '/admin/users',                                       'admin',  'read'],
  readPerson:            ['GET',    '/admin/users/{id}',                                  'admin',  'read'],
  changePerson:          ['PUT',    '/admin/users/{id}',                                  'admin',  'write', 'fresh'],
  signOutPerson:         ['DELETE', '/admin/users/{id}/sessions',                         'admin',  'write', 'fresh'],
  listNameReviews:       ['GET',    '/admin/name-reviews',                                'admin',  'read'],
  decideYardName:        ['POST',   '/admin/name-reviews',                                'admin',  'write'],
  listAudit:             ['GET',    '/admin/audit',                                       'admin',  'read'],

  /* Saved views of data grids (account/accounts.ts) */
  listViews:             ['GET',    '/saved-views',                                       'user',   'read'],
  saveView:              ['PUT',    '/saved-views',                                       'user',   'write'],
  renameView:            ['PUT',    '/saved-views/{id}',                                  'user',   'write'],
  deleteView:            ['DELETE', '/saved-views/{id}',                                  'user',   'write'],

  /* The site: settings, support, web vitals (site.ts) */
  site:                  ['GET',    '/site',                                              'public', 'read'],
  askSupport:            ['POST',   '/support-messages',                                  'anyone', 'mail'],
  reportWebVital:        ['POST',   '/web-vitals',                                        'public', 'read'],
} as const satisfies Record<string, Route>
export type RouteName = keyof typeof routes

/**
 * Who may call: `signature` needs a body signed by the payment provider, `local` works in demo mode under the product's
 * own address, `operator` needs OPS_TOKEN or an address in OPS_NETWORKS in production.
 */
export type OtherAccess = 'public' | 'signature' | 'local' | 'operator'

export type OtherRoute = readonly [
  method: 'GET' | 'POST',
  path: `/${string}`,
  access: OtherAccess,
  summary: string,
]

/** Routes that no page of ours calls, with full paths: their bodies and replies are not JSON of this contract. */
// biome-ignore format: aligned columns, one line for each address
export const otherRoutes = {
  /* Payment provider */
  stripeWebhook:    ['POST', '/api/webhooks/stripe',        'signature', 'Events from Stripe; each is only a hint to read Stripe again'],

  /* Mail programs: one-click unsubscribe (RFC 8058); opened by a person, it leads to the page with the button */
  unsubscribeNow:   ['POST', '/api/verify/unsubscribe/{token}', 'public', 'Unsubscribe with one click, from a mail program'],
  unsubscribePage:  ['GET',  '/api/verify/unsubscribe/{token}', 'public', 'Redirects to the unsubscribe page'],

  /* Operators and developers */
  securityTxt:      ['GET',  '/.well-known/security.txt',   'public',    'Contact for reporting a vulnerability'],
  health:           ['GET',  '/healthz',                    'public',    'The process is up'],
  readiness:        ['GET',  '/readyz',                     'public',    'Database, queue and storage work; 503 if not'],
  metrics:          ['GET',  '/metrics',                    'operator',  'Metrics for Prometheus'],
  openApi:          ['GET',  '/api/openapi.json',           'operator',  'This document'],
  apiDocs:          ['GET',  '/api/docs',                   'operator',  'This document as a page'],
  outbox:           ['GET',  '/dev/outbox',                 'local',     'Every email that would have been sent, as a page or as JSON'],

  /* Search engines and shopping sites */
  robotsTxt:        ['GET',  '/robots.txt',                 'public',    'What search engines may read, and where the sitemap is'],
  sitemap:          ['GET',  '/sitemap.xml',                'public',    'The files of the sitemap'],
  sitemapFile:      ['GET',  '/sitemaps/{name}',            'public',    'A file of the sitemap: public addresses and when each changed'],
  indexNowKey:      ['GET',  '/indexnow.txt',               'public',    'The key that identifies this site to IndexNow'],
  googleFeed:       ['GET',  '/feeds/{seller}/google.xml',  'public',    'A seller’s parts for Google Merchant Center, if the seller allows it'],
  metaFeed:         ['GET',  '/feeds/{seller}/meta.csv',    'public',    'A seller’s parts for a Meta catalog, if the seller allows it'],

  /* Web app: its files and pages, rendered here if they are public; they redirect from an earlier address */
  homePage:         ['GET',  '/',                           'public',    'The web app'],
  webFiles:         ['GET',  '/{file}',                     'public',    'A file of the web app, or its page'],
  partsPage:        ['GET',  '/parts',                      'public',    'The list of parts, with its search'],
  partPage:         ['GET',  '/parts/{slug}',               'public',    'The page of a part'],
  sendPartForm:     ['POST', '/parts/{slug}',               'public',    'Send a message or a report about the part without JavaScript'],
  sendSupportForm:  ['POST', '/support',                    'public',    'Send a message to the operator without JavaScript'],
  sendSearchForm:   ['POST', '/saved-searches/new',         'public',    'Save a search without JavaScript'],
  sellerPage:       ['GET',  '/sellers/{slug}',             'public',    'The page of a seller'],
  categoryPage:     ['GET',  '/parts/category/{slug}',      'public',    'The page of a category'],
  manufacturerPage: ['GET',  '/parts/make/{make}',          'public',    'The page of a manufacturer'],
  modelPage:        ['GET',  '/parts/make/{make}/{model}',  'public',    'The page of a model'],
  modelPartsPage:   ['GET',  '/parts/make/{make}/{model}/{category}', 'public', 'The page of one category of a model’s parts'],
  formerModelPage:  ['GET',  '/parts/model/{slug}',         'public',    'Redirects to the page of the model'],
} as const satisfies Record<string, OtherRoute>
