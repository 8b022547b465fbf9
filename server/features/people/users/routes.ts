import type { adminPeopleEndpoints, Person } from '#contract/admin/people.ts'
import {
  decideYardName,
  listNameReviews,
  type NameLetterhead,
} from '#server/features/people/yard-names/name-reviews.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { changePerson, countPeople, findPerson, listPeople, signOutPerson } from './people.ts'

type Deps = {
  now: () => Date
  /** Whether payments are on. */
  canReadPlans: boolean
  letterhead: NameLetterhead
}

export function peopleRoutes({
  now,
  canReadPlans,
  letterhead,
}: Deps): Handlers<Omit<typeof adminPeopleEndpoints, 'listAudit'>> {
  const read = (db: Db, id: string) => getPerson(db, id, now())
  return {
    async listPeople({ db, query }) {
      const { page, perPage, ...filter } = query
      const [items, total] = await Promise.all([
        listPeople(db, filter, { page, perPage, now: now() }),
        countPeople(db, filter),
      ])
      return { items, total, page, perPage }
    },

    readPerson: ({ db, params }) => read(db, params.id),

    async changePerson(request) {
      const { db, params } = request
      const { id: personId } = await read(db, params.id)
      const change = { ...(await request.body()), personId, by: auditActorOf(request) }
      await changePerson(db, change, { now: now(), canReadPlans })
      return read(db, personId)
    },

    listNameReviews: async ({ db }) => ({ items: await listNameReviews(db) }),

    async decideYardName(request) {
      const decision = { ...(await request.body()), by: auditActorOf(request) }
      await inTransaction(request.db, (trx) => decideYardName(trx, decision, letterhead))
      return { ok: true }
    },

    async signOutPerson(request) {
      const { db, params } = request
      const { id: personId } = await read(db, params.id)
      await signOutPerson(db, { personId, by: auditActorOf(request) })
      return { ok: true }
    },
  }
}

async function getPerson(db: Db, id: string, now: Date): Promise<Person> {
  const person = await findPerson(db, id, now)
  if (!person) throw new AppError('NOT_FOUND', 'There is no such account.')
  return person
}
