import '#web/api/strict-policy.ts'
import '#web/mantine-styles.ts'
import '#web/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followOtherTabs } from '#web/api/session.ts'
import { reportWebVitals } from '#web/api/web-vitals.ts'
import { App } from '#web/app.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
followOtherTabs()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
reportWebVitals()
