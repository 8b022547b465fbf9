import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { billingEndpoints } from '#contract/account/billing.ts'
import { call } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { TextLink } from '#web/components/links.tsx'
import { QueryError } from '#web/components/page/load-error.tsx'
import { Page, usePageTitle } from '#web/components/page/page.tsx'
import { Waiting } from '#web/components/page/waiting.tsx'
import { follow } from '#web/components/payments/payment-action.ts'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/** Payout onboarding links work once. Stripe sends users with a used link here for a fresh one. */
export function Component() {
  usePageTitle('Payout onboarding')
  const link = useQuery({
    queryKey: ['payout link'],
    queryFn: ({ signal }) => call(billingEndpoints.resumeOnboarding, { signal }),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const navigate = useNavigate()
  const goOn = useEffectEvent(async (answer: NonNullable<typeof link.data>) => {
    const mocked = () => notifyInfo('Stripe connect is mocked. Loading dashboard.', { about: 'payments' })
    await follow(answer, mocked).catch((error: Error) => notifyProblem(error.message, { about: 'payments' }))
    await navigate(paths.sellerDashboard, { replace: true })
  })
  useEffect(() => {
    if (link.data) void goOn(link.data)
  }, [link.data])

  if (!link.isError) return <Waiting label="Opening your payout onboarding at Stripe…" />
  return (
    <Page title="Payout onboarding" width="text">
      <Stack gap="md">
        <QueryError message={errorSentence(link.error, 'Unable to resume Stripe onboarding')} query={link} />
        <TextLink to={paths.sellerDashboard}>Go to my seller dashboard</TextLink>
      </Stack>
    </Page>
  )
}
