import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '#web/api/client.ts'
import { ReauthDialog } from '#web/components/reauth-dialog.tsx'
import { router } from '#web/routes.tsx'
import { cssVariables, theme } from './theme.ts'

// public/color-scheme.js reads the same key before the first paint.
const colorScheme = localStorageColorSchemeManager({ key: 'colorScheme' })

export function App() {
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
          <RouterProvider router={router} />
          <ReauthDialog />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
