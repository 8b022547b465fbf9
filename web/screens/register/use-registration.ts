import { useState } from 'react'
import { useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { signIn } from '#web/api/sign-in.ts'
import { lineProblems } from '#web/components/line-problems.ts'
import { notifyDone, notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { onboardingFor, type Plan } from '#web/paths.ts'

type Registration = { name: string; email: string; password: string }

/** Opens the account, signs in with it and goes on to the plans, where the chosen one is remembered. */
export function useRegistration(plan: Plan) {
  const navigate = useNavigate()
  const [running, setRunning] = useState(false)
  const [problems, setProblems] = useState<ApiError['fields']>({})

  async function open(registration: Registration): Promise<boolean> {
    try {
      await call(accountEndpoints.register, { body: registration })
    } catch (error) {
      setProblems(error instanceof ApiError ? error.fields : {})
      notifyError(error, 'Registration failed', { about: 'registration' })
      return false
    }
    notifyDone('Register success. Setting up your account...')
    await signIn(registration.email.trim(), registration.password).catch(() =>
      notifyProblem('Please login to continue onboarding.'),
    )
    await navigate(onboardingFor(plan))
    return true
  }

  async function register(registration: Registration): Promise<boolean> {
    const unfit = lineProblems({ Name: registration.name })
    setProblems(unfit ?? {})
    if (unfit) return false
    setRunning(true)
    const done = await open(registration)
    setRunning(false)
    return done
  }

  return { register, problems, running }
}
