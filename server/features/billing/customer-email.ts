import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { ProviderFailure, type StripeClient } from './provider.ts'
import { JOB_TIMEOUT_MS } from './sync.ts'

type Deps = { db: Db; stripe: StripeClient | undefined }

/** Gives the customers of a person's sellers the person's current address. A customer that is gone needs none. */
export async function updateCustomerEmail(
  { db, stripe }: Deps,
  { payload: { userId } }: JobRun<{ userId: string }>,
): Promise<void> {
  const { rows } = await sql<{ customerId: string; email: string }>`
    select s.stripe_customer_id as "customerId", u.email::text as email
    from app_user u
    join seller_member m on m.user_id = u.id and m.role = 'owner'
    join seller s on s.id = m.seller_id
    where u.id = ${userId} and s.stripe_customer_id is not null`.execute(db)
  for (const { customerId, email } of rows) {
    try {
      await stripe?.within(JOB_TIMEOUT_MS).updateCustomerEmail(customerId, email)
    } catch (error) {
      if (!(error instanceof ProviderFailure && error.isMissing)) throw error
    }
  }
}
