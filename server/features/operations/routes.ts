import type { operationsEndpoints } from '#contract/operations.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readOperations } from './operations.ts'

type Deps = { backupAt: string | undefined; now: () => Date }

export function operationsRoutes({ backupAt, now }: Deps): Handlers<typeof operationsEndpoints> {
  return {
    readOperations: ({ db }) => readOperations(db, { backupAt, now: now() }),
  }
}
