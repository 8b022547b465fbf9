import { hasUnsentChanges, indexNowQueue } from '#server/features/finding/feeds/index-now.ts'
import { missingPagesQueue } from '#server/features/finding/landing/missing-pages.ts'
import { isMailDue, mailFoundQueue } from '#server/features/finding/saved-searches/found-mails.ts'
import { hasArrivals, matchArrivalsQueue } from '#server/features/finding/saved-searches/match-arrivals.ts'
import { weeklySummaryQueue } from '#server/features/market/analytics/weekly-summary.ts'
import { hasBanned, hideBannedQueue } from '#server/features/market/banned-parts/hide-banned.ts'
import { goneOrdersQueue, mailGoneQueue } from '#server/features/market/for-sale/gone-sellers.ts'
import { relabelListingsQueue } from '#server/features/market/lookups/lookup-changes.ts'
import {
  fetchPicturesQueue,
  pictureSizesQueue,
  sweepPicturesQueue,
} from '#server/features/market/pictures/store-picture.ts'
import { finishMergesQueue, hasUnfinished } from '#server/features/market/relabeling/relabel-listings.ts'
import { endSubscriptionQueue } from '#server/features/money/billing/endings.ts'
import { readProviderQueue } from '#server/features/money/billing/events.ts'
import { reconcileQueue } from '#server/features/money/billing/reconcile.ts'
import {
  hasDueOrders,
  hasOpenReads,
  lateNewsQueue,
  orderDeadlinesQueue,
  orderReadsQueue,
} from '#server/features/money/orders/deadlines.ts'
import { orderStepsQueue } from '#server/features/money/orders/money/wanted-steps.ts'
import { hasBooks, orderBooksQueue } from '#server/features/money/orders/release/payouts.ts'
import { hasDueReleases, orderReleasesQueue } from '#server/features/money/orders/release/sweep.ts'
import { hasDueReturns, orderReturnsQueue } from '#server/features/money/orders/returns/return-sweep.ts'
import { hasOrders, orderReviewsQueue } from '#server/features/money/orders/reviews/review-sweep.ts'
import { settleClosureQueue } from '#server/features/people/accounts/closure.ts'
import { customerEmailQueue } from '#server/features/people/accounts/email/address-links.ts'
import { sendResetLinkQueue } from '#server/features/people/accounts/reset.ts'
import { sendSignInLinkQueue } from '#server/features/people/accounts/sign-in-links.ts'
import { eraseAccountsQueue, hasClosures } from '#server/features/people/closing/erase-account.ts'
import { hasDueNames, nameReviewsQueue } from '#server/features/people/yard-names/name-reviews.ts'
import { bulkJobsQueue, SCRIPT_QUEUES } from '#server/features/running/automation/automation-queues.ts'
import { backUpQueue } from '#server/features/running/backups/nightly-backup.ts'
import { openDemoPaymentsQueue } from '#server/features/running/demo/load-demo.ts'
import { sweepArtifactsQueue, tidyDatabaseQueue } from '#server/features/running/upkeep/tidy-database.ts'
import { hasStalled } from '#server/features/stock-files/promotion/failures.ts'
import {
  applyQueue,
  failStalledPromotionsQueue,
  planPromotionQueue,
  sweepImportsQueue,
  taxonomyQueue,
  undoPromotionQueue,
} from '#server/features/stock-files/stock-file-queues.ts'
import { sendMailQueue } from '#server/features/talk/mail/mail.ts'
import type { PeriodicJob } from '#server/platform/jobs/schedules.ts'

/** Every queue. The migrate command declares them; enqueuing to any other queue fails. */
export const JOB_QUEUES = [
  backUpQueue,
  bulkJobsQueue,
  customerEmailQueue,
  endSubscriptionQueue,
  eraseAccountsQueue,
  failStalledPromotionsQueue,
  fetchPicturesQueue,
  finishMergesQueue,
  goneOrdersQueue,
  indexNowQueue,
  applyQueue,
  mailFoundQueue,
  matchArrivalsQueue,
  hideBannedQueue,
  missingPagesQueue,
  lateNewsQueue,
  openDemoPaymentsQueue,
  orderBooksQueue,
  orderDeadlinesQueue,
  orderReadsQueue,
  orderReleasesQueue,
  orderReviewsQueue,
  orderReturnsQueue,
  orderStepsQueue,
  pictureSizesQueue,
  planPromotionQueue,
  readProviderQueue,
  reconcileQueue,
  relabelListingsQueue,
  mailGoneQueue,
  nameReviewsQueue,
  sendMailQueue,
  sendResetLinkQueue,
  sendSignInLinkQueue,
  settleClosureQueue,
  sweepArtifactsQueue,
  sweepImportsQueue,
  sweepPicturesQueue,
  taxonomyQueue,
  tidyDatabaseQueue,
  undoPromotionQueue,
  weeklySummaryQueue,
  ...SCRIPT_QUEUES,
]

const HOUR = 3_600

/** Runs only if an IndexNow key is set. */
export const INDEX_NOW: PeriodicJob = { queue: indexNowQueue, everySeconds: 60, isNeeded: hasUnsentChanges }

export const PERIODIC_JOBS: readonly PeriodicJob[] = [
  { queue: orderDeadlinesQueue, everySeconds: 2, isNeeded: (trx) => hasDueOrders(trx, new Date()) },
  { queue: orderReadsQueue, everySeconds: 120, isNeeded: hasOpenReads },
  { queue: orderReleasesQueue, everySeconds: 5, isNeeded: (trx) => hasDueReleases(trx, new Date()) },
  { queue: orderReturnsQueue, everySeconds: 30, isNeeded: (trx) => hasDueReturns(trx, new Date()) },
  { queue: matchArrivalsQueue, everySeconds: 10, isNeeded: hasArrivals },
  { queue: mailFoundQueue, everySeconds: 60, isNeeded: (trx) => isMailDue(trx, new Date()) },
  { queue: nameReviewsQueue, everySeconds: 60, isNeeded: hasDueNames },
  { queue: failStalledPromotionsQueue, everySeconds: 120, isNeeded: hasStalled },
  { queue: finishMergesQueue, everySeconds: 300, isNeeded: hasUnfinished },
  { queue: orderBooksQueue, everySeconds: HOUR, isNeeded: hasBooks },
  { queue: orderReviewsQueue, everySeconds: 600, isNeeded: hasOrders },
  { queue: hideBannedQueue, everySeconds: HOUR, isNeeded: hasBanned },
  { queue: eraseAccountsQueue, everySeconds: HOUR, isNeeded: hasClosures },
  { queue: missingPagesQueue, everySeconds: HOUR },
  { queue: reconcileQueue, everySeconds: HOUR },
  { queue: weeklySummaryQueue, everySeconds: HOUR },
  { queue: lateNewsQueue, everySeconds: 24 * HOUR, isNeeded: hasOrders },
  { queue: tidyDatabaseQueue, everySeconds: 6 * HOUR },
  { queue: sweepArtifactsQueue, everySeconds: 24 * HOUR },
  { queue: sweepImportsQueue, everySeconds: 24 * HOUR },
  { queue: sweepPicturesQueue, everySeconds: 24 * HOUR },
]
