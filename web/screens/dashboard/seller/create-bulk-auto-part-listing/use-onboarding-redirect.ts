import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { notifyProblem } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { importSentence, needsOnboarding, onboardingAfterMs } from './import-failures.ts'

/** Who never began payout onboarding is told so, then led there. */
export function useOnboardingRedirect(error: unknown): void {
  const needed = needsOnboarding(error)
  const navigate = useNavigate()
  const tell = useEffectEvent(() => notifyProblem(importSentence(error, ''), { about: 'import' }))
  useEffect(() => {
    if (!needed) return
    tell()
    const timer = setTimeout(() => void navigate(paths.onboarding), onboardingAfterMs)
    return () => clearTimeout(timer)
  }, [needed, navigate])
}
