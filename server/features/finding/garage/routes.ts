import type { garageEndpoints } from '#contract/account/garage.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { changeGarage, readGarage } from './garage.ts'

export function garageRoutes({ now }: { now: () => Date }): Handlers<typeof garageEndpoints> {
  return {
    readGarage: ({ db, actor }) => readGarage(db, actor.userId),

    async changeGarage(request) {
      return changeGarage(request.db, request.actor.userId, { changes: await request.body(), now: now() })
    },
  }
}
