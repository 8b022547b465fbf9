import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { accountEndpoints, type SecondStep } from '#contract/account/accounts.ts'
import { signInByLink } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { CheckYourEmail, emailFromLogin } from '#web/components/entry/check-your-email.tsx'
import { useLinkToken } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { SecondStepForm, useSignInRedirect } from '#web/components/entry/second-step.tsx'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { clearToast, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/** Sends a sign-in link, and signs in with one. */
export function Component() {
  const token = useLinkToken()
  return (
    <EntryPage
      title="Sign-in link"
      heading={token === undefined ? 'Sign in by email' : 'Finish signing in'}
      lead={
        token === undefined
          ? 'We’ll email you a link that signs you in. Your password stays as it is.'
          : 'Only use a link that you asked for yourself.'
      }
      below={
        <TextLink underline="always" to={paths.login}>
          Back to login
        </TextLink>
      }
    >
      {token === undefined ? <AskForLink /> : <UseLink key={token} token={token} />}
    </EntryPage>
  )
}

function AskForLink() {
  const { values, field, submit, request } = useTextForm({
    start: { email: emailFromLogin(useLocation().state) },
    send: (body) => call(accountEndpoints.requestSignInLink, { body }),
    onSent: () => clearToast('sign-in link'),
    onFailed: (error) => {
      if (error instanceof ApiError && error.fields.email) return
      notifyError(error, 'Could not send the link. Please try again.', { about: 'sign-in link' })
    },
  })
  if (request.isSuccess)
    return <CheckYourEmail email={values.email.trim()} minutes={10} onAgain={request.reset} />
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Email"
          description="The address you sign in with"
          type="email"
          autoComplete="username"
          {...field('email')}
        />
        <Button type="submit" size="md" disabled={values.email.trim() === ''} loading={request.isPending}>
          Send the link
        </Button>
      </Stack>
    </form>
  )
}

/** Only the button uses the link up, because some programs open links in emails. */
function UseLink({ token }: { token: string }) {
  const navigate = useNavigate()
  const [step, setStep] = useState<SecondStep>()
  const arrive = useSignInRedirect()
  const request = useMutation({
    mutationFn: () => signInByLink(token),
    onSuccess: (answer) => ('ticket' in answer ? setStep(answer) : arrive(answer)),
  })
  // The link is used up, so starting over requires a new one.
  if (step) {
    return <SecondStepForm step={step} onAgain={() => void navigate(paths.signInLink)} />
  }
  const isDead = request.error instanceof ApiError && request.error.code === 'LINK_EXPIRED'
  return (
    <Stack gap="md" align="flex-start">
      {request.error && (
        <Text role="alert">{errorSentence(request.error, 'Could not sign in. Please try again.')}</Text>
      )}
      {isDead ? (
        <ButtonLink to={paths.signInLink}>Request a new link</ButtonLink>
      ) : (
        <Button size="md" loading={request.isPending} onClick={() => request.mutate()}>
          Sign in
        </Button>
      )}
    </Stack>
  )
}
