import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { signIn } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { focusFirstProblem, lineProblems } from '#web/components/form/problems.ts'
import { TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { onboardingFor, type Plan, paths, planIn } from '#web/paths.ts'

const empty = { name: '', email: '', password: '' }

export function Component() {
  const [values, setValues] = useState(empty)
  const [search] = useSearchParams()
  const plan = planIn(search)
  const { register, problems, running } = useRegistration(plan)

  const field = (name: keyof typeof empty) => ({
    name,
    value: values[name],
    error: problems[name],
    required: true,
    withAsterisk: false,
    onChange: (event: FormEvent<HTMLInputElement>) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void register(values).then((done) => done || focusFirstProblem(form))
  }
  const complete = values.name.trim() !== '' && values.email.trim() !== '' && values.password !== ''

  return (
    <EntryPage
      title="Register"
      heading={plan === 'pro' ? 'Become a dealer' : 'Become a seller'}
      lead="One account for the whole site. No card needed."
      below={
        <>
          Already registered?{' '}
          <TextLink underline="always" to={paths.login}>
            Login to your account
          </TextLink>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput label="Name" autoComplete="name" {...field('name')} />
          <TextInput label="Email" type="email" autoComplete="email" {...field('email')} />
          <PasswordField
            label="Password"
            description="At least 8 characters. A few unrelated words are easy to remember."
            autoComplete="new-password"
            {...field('password')}
          />
          <Button type="submit" size="md" disabled={!complete} loading={running}>
            Register
          </Button>
        </Stack>
      </form>
    </EntryPage>
  )
}

type Registration = { name: string; email: string; password: string }

/** Creates the account, signs in and goes to onboarding with the chosen plan. */
function useRegistration(plan: Plan) {
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
    const nameProblems = lineProblems({ Name: registration.name })
    setProblems(nameProblems ?? {})
    if (nameProblems) return false
    setRunning(true)
    const done = await open(registration)
    setRunning(false)
    return done
  }

  return { register, problems, running }
}
