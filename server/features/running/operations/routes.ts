import type { operationsEndpoints } from '#contract/admin/operations.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readOperations } from './operations.ts'

type Deps = Omit<Parameters<typeof readOperations>[1], 'now'> & { now: () => Date }

export function operationsRoutes({ now, ...deps }: Deps): Handlers<typeof operationsEndpoints> {
  return {
    readOperations: ({ db }) => readOperations(db, { ...deps, now: now() }),
  }
}
