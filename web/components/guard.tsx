import { Button, Center, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPath, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { ConfirmEmailBanner } from '#web/components/account/confirm-email.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { QueryError } from '#web/components/page/load-error.tsx'
import { usePageTitle } from '#web/components/page/page.tsx'
import { Spinner, Waiting } from '#web/components/page/waiting.tsx'
import { loginFrom, paths, twoStepFrom } from '#web/paths.ts'

const checks = {
  user: { endpoint: accountEndpoints.authCheck, refusal: 'Please log in to see this page.' },
  admin: { endpoint: accountEndpoints.adminCheck, refusal: 'This page needs an administrator’s account.' },
}

/** Only signed-in users see the pages below it. */
export const UserGuard = () => <Guard of="user" />

/** Only admins (role 1) see the pages below it. */
export const AdminGuard = () => <Guard of="admin" />

function Guard({ of }: { of: keyof typeof checks }) {
  const { token } = useSession()
  const { endpoint, refusal } = checks[of]
  const check = useQuery({
    queryKey: [endpoint.path, token],
    queryFn: ({ signal }) => call(endpoint, { signal }),
    enabled: token !== undefined,
    staleTime: 60_000,
  })

  const here = createPath(useLocation())

  if (isFactorMissing(check.error)) return <Navigate to={twoStepFrom(here)} replace />
  if (token === undefined || isRefusal(check.error)) return <LoginCountdown reason={refusal} />
  if (check.isSuccess || check.data) {
    return (
      <>
        <ConfirmEmailBanner />
        <Outlet />
      </>
    )
  }
  if (check.isPending) return <Waiting label="Checking your session…" />
  return (
    <Container py="xl">
      <QueryError message="We could not check your session: the server is not responding." query={check} />
    </Container>
  )
}

/** Only a refusal leads to the login page; an unreachable server does not. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}

/** An administrator of a server that requires two-step sign-in turns it on first. */
const isFactorMissing = (error: unknown) => error instanceof ApiError && error.code === 'FACTOR_REQUIRED'

/** Given by the spec. */
const countdownSeconds = 3

/** Shows why, counts down, and leads to the login page, which returns here. */
function LoginCountdown({ reason }: { reason: string }) {
  usePageTitle('Please log in')
  const [seconds, setSeconds] = useState(countdownSeconds)
  const navigate = useNavigate()
  const signedIn = useSession().token !== undefined
  const login = loginFrom(createPath(useLocation()))

  useEffect(() => {
    if (seconds === 0) {
      void navigate(login, { replace: true })
      return
    }
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds, login, navigate])

  return (
    <Center mih="50vh" p="md">
      <Stack align="center" gap="md" ta="center">
        <div role="img" aria-label="Loading">
          <Spinner />
        </div>
        <Title order={1} size="h2">
          {reason}
        </Title>
        <Text className="second" role="timer" aria-live="off">
          Redirecting you to login in {seconds} second(s)…
        </Text>
        <Group gap="sm" justify="center">
          <Button onClick={() => void navigate(login, { replace: true })}>Login now</Button>
          {signedIn && (
            <ButtonLink variant="default" to={paths.userDashboard} replace>
              Go to my dashboard
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </Center>
  )
}
