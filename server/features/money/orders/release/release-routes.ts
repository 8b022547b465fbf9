import type { releaseEndpoints } from '#contract/order/money/release-views.ts'
import { listDifferences, readBookCheck } from '#server/features/money/orders/money/compare-books.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { listWaiting } from './due-releases.ts'
import { readOwnPayouts } from './yard-money.ts'

export function releaseRoutes({ now }: { now: () => Date }): Handlers<typeof releaseEndpoints> {
  return {
    readPayouts: ({ db, actor }) => readOwnPayouts(db, actor.sellerId, now()),

    async readBooks({ db }) {
      const [check, differences, waiting] = await Promise.all([
        readBookCheck(db),
        listDifferences(db, now()),
        listWaiting(db),
      ])
      return {
        checkedAt: check?.at.toISOString() ?? null,
        compared: check?.compared ?? 0,
        differences: differences.map(({ foundAt, goneAt, ...difference }) => ({
          ...difference,
          foundAt: foundAt.toISOString(),
          goneAt: goneAt?.toISOString() ?? null,
        })),
        waiting: waiting.map(({ cents, since, ...move }) => ({
          ...move,
          amount: cents / 100,
          since: since.toISOString(),
        })),
      }
    },
  }
}
