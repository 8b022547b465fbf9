import { settleClosureQueue } from '#server/features/accounts/closure.ts'
import { customerEmailQueue } from '#server/features/accounts/email/address-links.ts'
import { sendResetLinkQueue } from '#server/features/accounts/reset.ts'
import { sendSignInLinkQueue } from '#server/features/accounts/sign-in-links.ts'
import { weeklySummaryQueue } from '#server/features/analytics/weekly-summary.ts'
import { bulkJobsQueue, SCRIPT_QUEUES } from '#server/features/automation/automation-queues.ts'
import { backUpQueue } from '#server/features/backups/nightly-backup.ts'
import { hasBanned, hideBannedQueue } from '#server/features/banned-parts/hide-banned.ts'
import { endSubscriptionQueue } from '#server/features/billing/endings.ts'
import { readProviderQueue } from '#server/features/billing/events.ts'
import { reconcileQueue } from '#server/features/billing/reconcile.ts'
import { eraseAccountsQueue, hasClosures } from '#server/features/closing/erase-account.ts'
import { openDemoPaymentsQueue } from '#server/features/demo/load-demo.ts'
import { hasUnsentChanges, indexNowQueue } from '#server/features/feeds/index-now.ts'
import { goneOrdersQueue, mailGoneQueue } from '#server/features/for-sale/gone-sellers.ts'
import { missingPagesQueue } from '#server/features/landing/missing-pages.ts'
import { relabelListingsQueue } from '#server/features/lookups/lookup-changes.ts'
import { sendMailQueue } from '#server/features/mail/mail.ts'
import {
  hasDueOrders,
  hasOpenReads,
  orderDeadlinesQueue,
  orderReadsQueue,
} from '#server/features/orders/deadlines.ts'
import { orderStepsQueue } from '#server/features/orders/money/wanted-steps.ts'
import {
  fetchPicturesQueue,
  pictureSizesQueue,
  sweepPicturesQueue,
} from '#server/features/pictures/store-picture.ts'
import { finishMergesQueue, hasUnfinished } from '#server/features/relabeling/relabel-listings.ts'
import { isMailDue, mailFoundQueue } from '#server/features/saved-searches/found-mails.ts'
import { hasArrivals, matchArrivalsQueue } from '#server/features/saved-searches/match-arrivals.ts'
import { hasStalled } from '#server/features/stock-files/promotion/failures.ts'
import {
  applyQueue,
  failStalledPromotionsQueue,
  planPromotionQueue,
  sweepImportsQueue,
  taxonomyQueue,
  undoPromotionQueue,
} from '#server/features/stock-files/stock-file-queues.ts'
import { sweepArtifactsQueue, tidyDatabaseQueue } from '#server/features/upkeep/tidy-database.ts'
import { hasDueNames, nameReviewsQueue } from '#server/features/yard-names/name-reviews.ts'
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
  openDemoPaymentsQueue,
  orderDeadlinesQueue,
  orderReadsQueue,
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
  { queue: matchArrivalsQueue, everySeconds: 10, isNeeded: hasArrivals },
  { queue: mailFoundQueue, everySeconds: 60, isNeeded: (trx) => isMailDue(trx, new Date()) },
  { queue: nameReviewsQueue, everySeconds: 60, isNeeded: hasDueNames },
  { queue: failStalledPromotionsQueue, everySeconds: 120, isNeeded: hasStalled },
  { queue: finishMergesQueue, everySeconds: 300, isNeeded: hasUnfinished },
  { queue: hideBannedQueue, everySeconds: HOUR, isNeeded: hasBanned },
  { queue: eraseAccountsQueue, everySeconds: HOUR, isNeeded: hasClosures },
  { queue: missingPagesQueue, everySeconds: HOUR },
  { queue: reconcileQueue, everySeconds: HOUR },
  { queue: weeklySummaryQueue, everySeconds: HOUR },
  { queue: tidyDatabaseQueue, everySeconds: 6 * HOUR },
  { queue: sweepArtifactsQueue, everySeconds: 24 * HOUR },
  { queue: sweepImportsQueue, everySeconds: 24 * HOUR },
  { queue: sweepPicturesQueue, everySeconds: 24 * HOUR },
]
