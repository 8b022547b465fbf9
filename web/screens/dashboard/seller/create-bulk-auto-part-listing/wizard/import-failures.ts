import { ApiError, errorSentence } from '#web/api/failures.ts'

export const proOnly = 'Access denied (Pro feature). Please upgrade to continue.'
const byStatus: Record<number, string> = {
  429: 'Rate limit reached. Please try again later.',
  503: 'System busy. Please retry shortly.',
}

/** The spec's sentences for failed imports. */
export function importSentence(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  if (error.code === 'PRO_ONLY') return proOnly
  if (needsOnboarding(error)) return 'Onboarding required. Redirecting…'
  return byStatus[error.status] ?? errorSentence(error, fallback)
}

/** The only conflict that redirects. */
export const needsOnboarding = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'ONBOARDING_REQUIRED'

/** Given by the spec. */
export const onboardingAfterMs = 1_200
