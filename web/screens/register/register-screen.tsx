import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { signIn } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { NewPasswordField } from '#web/components/form/password-field.tsx'
import { lineProblems } from '#web/components/form/problems.ts'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { onboardingFor, paths, planIn } from '#web/paths.ts'

export function Component() {
  const [search] = useSearchParams()
  const plan = planIn(search)
  const navigate = useNavigate()
  const { values, field, submit, request } = useTextForm({
    start: { name: '', email: '', password: '' },
    check: ({ name }) => lineProblems({ Name: name }),
    send: (body) => call(accountEndpoints.register, { body }),
    onSent: async (_, { email, password }) => {
      notifyDone('Register success. Setting up your account...', { about: 'registration' })
      await signIn(email.trim(), password).catch(() => notifyProblem('Please login to continue onboarding.'))
      await navigate(search.has('plan') ? onboardingFor(plan) : paths.onboarding)
    },
    onFailed: (error) => notifyError(error, 'Registration failed', { about: 'registration' }),
  })
  const complete = values.name.trim() !== '' && values.email.trim() !== '' && values.password !== ''

  return (
    <EntryPage
      title="Register"
      heading={plan === 'pro' ? 'Become a dealer' : 'Become a seller'}
      lead="No credit card required."
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
          <NewPasswordField label="Password" {...field('password')} />
          <Button type="submit" size="md" disabled={!complete} loading={request.isPending}>
            Register
          </Button>
        </Stack>
      </form>
    </EntryPage>
  )
}
