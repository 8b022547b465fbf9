import '#web/api/strict-policy.ts'
import '#web/mantine-styles.ts'
import '#web/global.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '#web/api/client.ts'
import { followOtherTabs } from '#web/api/session.ts'
import { reportWebVitals } from '#web/api/web-vitals.ts'
import { router } from '#web/routes.tsx'
import { cssVariables, theme } from './theme.ts'

// The key is read before the first paint too, by public/color-scheme.js.
const colorScheme = localStorageColorSchemeManager({ key: 'colorScheme' })

function App() {
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
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
followOtherTabs()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
reportWebVitals()
