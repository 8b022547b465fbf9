import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { signIn } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { NewPasswordField } from '#web/components/form/password-field.tsx'
import { lineProblems } from '#web/components/form/problems.ts'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { TextLink } from '#web/components/links.tsx'
import { notifyDone, notifyError, notifyProblem } from '#web/components/toasts.tsx'
import { loginFrom, onboardingFor, paths, planIn, safeReturnPath } from '#web/paths.ts'

export function Component() {
  const [search] = useSearchParams()
  const plan = planIn(search)
  const [purpose, setPurpose] = useState<Purpose>(search.get('as') === 'buying' ? 'buying' : 'selling')
  const isBuying = purpose === 'buying'
  const from = safeReturnPath(search.get('from')) ?? paths.account
  const navigate = useNavigate()
  // What a buyer typed at the checkout.
  const { name = '', email = '' } = (useLocation().state ?? {}) as { name?: string; email?: string }
  const { values, field, submit, request } = useTextForm({
    start: { name, email, password: '' },
    check: ({ name }) => lineProblems({ Name: name }),
    send: (body) => call(accountEndpoints.register, { body: { ...body, as: purpose } }),
    onSent: async (_, { email, password }) => {
      notifyDone('Register success. Setting up your account...', { about: 'registration' })
      const next = isBuying ? 'Please login to continue.' : 'Please login to continue onboarding.'
      await signIn(email.trim(), password).catch(() => notifyProblem(next))
      if (isBuying) return navigate(from)
      return navigate(search.has('plan') ? onboardingFor(plan) : paths.onboarding)
    },
    onFailed: (error) => notifyError(error, 'Registration failed', { about: 'registration' }),
  })
  const complete = values.name.trim() !== '' && values.email.trim() !== '' && values.password !== ''

  return (
    <EntryPage
      title="Register"
      heading={isBuying ? 'Create an account' : sellerHeadings[plan]}
      lead="No credit card required."
      isForBuyers={isBuying}
      below={
        <>
          Already registered?{' '}
          <TextLink underline="always" to={isBuying ? loginFrom(from) : paths.login}>
            Login to your account
          </TextLink>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Radio.Group
            label="I’m registering for"
            name="as"
            value={purpose}
            onChange={(chosen) => setPurpose(chosen as Purpose)}
          >
            <Group gap="lg" mt={4}>
              <Radio value="selling" label="Selling" />
              <Radio value="buying" label="Buying" />
            </Group>
          </Radio.Group>
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

type Purpose = 'selling' | 'buying'

const sellerHeadings = { pro: 'Become a dealer', free: 'Become a seller' } as const
