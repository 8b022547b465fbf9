import { Menu } from '#web/components/account/menu.tsx'
import { paths } from '#web/paths.ts'

/** What a dealer does most, one press away. */
export function QuickActions() {
  return (
    <Menu
      title="Quick actions"
      items={[
        { label: 'Create an e-commerce listing', to: paths.createAutoPartListing },
        { label: 'Create a quick listing', to: paths.createDataTableListing },
        { label: 'Import your stock file', to: paths.createBulkListing },
        { label: 'Look through your listings', to: paths.myListings },
        { label: 'Answer your buyers', to: paths.leads },
        { label: 'See views and leads', to: paths.analytics },
      ]}
    />
  )
}
