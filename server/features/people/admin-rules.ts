import { AppError } from '#server/platform/errors.ts'

type PersonState = { id: string; role: number; disabled: boolean }

export type AccessChange = { role: number; disabled: boolean }

/**
 * Whether an administrator may change who somebody is to the house. `locked` holds the person and every administrator who
 * can sign in.
 * @throws AppError NOT_ALLOWED for one who is no administrator (any more), CONFLICT with why not
 */
export function requireAllowed(
  locked: readonly PersonState[],
  { actorId, personId, after }: { actorId: string; personId: string; after: AccessChange },
): void {
  const admins = locked.filter(({ role, disabled }) => role === 1 && !disabled)
  // Somebody took it at the same moment.
  if (!admins.some(({ id }) => id === actorId)) {
    throw new AppError('NOT_ALLOWED', 'You are no administrator any more.')
  }
  if (after.disabled && actorId === personId) {
    throw new AppError('CONFLICT', 'You cannot disable your own account. Ask another administrator to do it.')
  }
  const others = admins.filter(({ id }) => id !== personId)
  const staysAdmin = after.role === 1 && !after.disabled
  if (staysAdmin || others.length > 0) return
  throw new AppError(
    'CONFLICT',
    'This is the last administrator who can sign in. Make somebody else an administrator first.',
  )
}
