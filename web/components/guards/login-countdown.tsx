import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { createPath, Link, useLocation, useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { usePageTitle } from '#web/components/page.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { loginFrom, paths } from '#web/paths.ts'

/** Spec, section 9. */
const countdownSeconds = 3

/** Says why, counts down and leads to the login page, which leads back here. */
export function LoginCountdown({ reason }: { reason: string }) {
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
            <Button variant="default" component={Link} to={paths.userDashboard} replace>
              Go to my dashboard
            </Button>
          )}
        </Group>
      </Stack>
    </Center>
  )
}
