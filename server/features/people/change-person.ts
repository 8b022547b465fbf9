import { deleteSessionsOf } from '#server/features/accounts/session-queries.ts'
import { changeGrant } from '#server/features/billing/change-grant.ts'
import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requireAllowed } from './admin-rules.ts'
import {
  lockSellerOf,
  lockWithAdmins,
  type PersonState,
  setDisabled,
  setRole,
  setTrusted,
} from './queries.ts'

type By = Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>

export type PersonChange = {
  personId: string
  role?: 0 | 1 | undefined
  disabled?: boolean | undefined
  proGranted?: boolean | undefined
  trusted?: boolean | undefined
  by: By
}

/** `canReadPlans`: whether there is a payment provider to ask. */
type Deps = { now: Date; canReadPlans: boolean }

/**
 * Changes what somebody may do, all of it or nothing, and writes down each change with its value before and after. Who is
 * disabled is signed out everywhere at once; so is who becomes an administrator, as a token that was good enough for a
 * seller's phone must not become an administrator's by itself.
 * @throws AppError CONFLICT, NOT_ALLOWED (see `requireAllowed`)
 */
export async function changePerson(db: Db, change: PersonChange, deps: Deps): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (change.role !== undefined || change.disabled !== undefined) await changeAccess(trx, change, deps.now)
    if (change.proGranted !== undefined || change.trusted !== undefined) await changeSeller(trx, change, deps)
  })
}

async function changeAccess(trx: Db, change: PersonChange, now: Date): Promise<void> {
  const { personId, by } = change
  const locked = await lockWithAdmins(trx, personId)
  const before = locked.find(({ id }) => id === personId)
  if (!before) return
  const after = { role: change.role ?? before.role, disabled: change.disabled ?? before.disabled }
  requireAllowed(locked, { actorId: by.actorUserId, personId, after })
  if (after.role !== before.role) {
    await setRole(trx, personId, after.role)
    const detail = { from: before.role, to: after.role }
    await writeAudit(trx, { action: 'role-changed', target: personId, detail, ...by })
  }
  if (after.disabled !== before.disabled) {
    await setDisabled(trx, personId, after.disabled ? now : null)
    const action = after.disabled ? 'account-disabled' : 'account-enabled'
    const detail = { from: before.disabled, to: after.disabled }
    await writeAudit(trx, { action, target: personId, detail, ...by })
  }
  if (endsSessions(before, after)) await deleteSessionsOf(trx, personId)
}

const endsSessions = (before: PersonState, after: { role: number; disabled: boolean }): boolean =>
  (after.disabled && !before.disabled) || after.role > before.role

async function changeSeller(trx: Db, change: PersonChange, { canReadPlans }: Deps): Promise<void> {
  const { personId, by, proGranted, trusted } = change
  const before = await lockSellerOf(trx, personId)
  if (!before) return
  const sellerId = before.id
  if (proGranted !== undefined && proGranted !== before.proGranted) {
    await changeGrant(trx, { sellerId, granted: proGranted, canRead: canReadPlans, by })
  }
  if (trusted !== undefined && trusted !== before.trusted) {
    await setTrusted(trx, sellerId, trusted)
    const detail = { from: before.trusted, to: trusted, person: personId }
    await writeAudit(trx, { action: 'trust-changed', target: sellerId, detail, ...by })
  }
}
