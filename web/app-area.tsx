// First: see there.
import '#web/api/strict-policy.ts'
import '#web/mantine-styles.ts'
import '#web/global.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#web/api/client.ts'
import { ReauthDialog } from '#web/components/reauth-dialog.tsx'
import { Shell } from '#web/components/shell/shell.tsx'
import { cssVariables, theme } from './theme.ts'

// public/color-scheme.js reads the same key before the first paint.
const colorScheme = localStorageColorSchemeManager({ key: 'colorScheme' })

/** The frame of all pages that the server does not render, and what their components need. */
export function Component() {
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
          <Shell />
          <ReauthDialog />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
