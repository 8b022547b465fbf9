import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useSession } from '#web/api/session.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Waiting } from '#web/components/waiting.tsx'
import { LoginCountdown } from './login-countdown.tsx'

const checks = {
  user: { endpoint: accountEndpoints.authCheck, refusal: 'Please log in to see this page.' },
  admin: { endpoint: accountEndpoints.adminCheck, refusal: 'This page needs an administrator’s account.' },
}

/** Pages below it are for people who are signed in. */
export function UserGuard() {
  return <Guard of="user" />
}

/** Pages below it are for admins (role 1). */
export function AdminGuard() {
  return <Guard of="admin" />
}

function Guard({ of }: { of: keyof typeof checks }) {
  const { token } = useSession()
  const { endpoint, refusal } = checks[of]
  const check = useQuery({
    queryKey: [endpoint.path, token],
    queryFn: ({ signal }) => call(endpoint, { signal }),
    enabled: token !== undefined,
    staleTime: 60_000,
  })

  if (token === undefined || isRefusal(check.error)) return <LoginCountdown reason={refusal} />
  if (check.isSuccess || check.data) return <Outlet />
  if (check.isPending) return <Waiting label="Checking your session…" />
  return (
    <Container py="xl">
      <LoadError
        message="We could not check your session: the server does not answer."
        onRetry={() => void check.refetch()}
        retrying={check.isFetching}
      />
    </Container>
  )
}

/** Only a no sends people to the login page; a server out of reach does not. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}
