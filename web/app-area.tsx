// Must be the first import: see the file.
import './strict-policy.ts'
import '#web/mantine-styles.ts'
import '#web/global.css'
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet } from 'react-router'
import { queryClient } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { ReauthDialog } from '#web/components/reauth-dialog.tsx'
import { followScheme, shownScheme } from '#web/site/frame/color-scheme.ts'
import { cssVariables, theme } from './theme.ts'

let stopFollowing: (() => void) | undefined
/** The header's switch sets the color scheme; Mantine follows. */
const colorScheme: MantineColorSchemeManager = {
  get: shownScheme,
  set: () => undefined,
  subscribe: (onUpdate) => {
    stopFollowing = followScheme(() => onUpdate(shownScheme()))
  },
  unsubscribe: () => stopFollowing?.(),
  clear: () => undefined,
}

/** What all pages of the app area need around them. */
export function Component() {
  useResetForNextUser()
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="top-right" autoClose={5000} />
          <Outlet />
          <ReauthDialog />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Drops one user's data before the next user sees the page, also if another tab signed in or out. */
function useResetForNextUser(): void {
  const id = useSession().user?.id
  const before = useRef(id)
  useEffect(() => {
    if (before.current !== undefined && before.current !== id) void queryClient.resetQueries()
    before.current = id
  }, [id])
}
