import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './edit-tabs.module.css'

/** The spec's tab bar of this page; what its first link aimed at was broken, and opens the listing chooser here. */
const tabs = [
  { label: 'Create a New Listing', to: paths.createListing },
  { label: 'Manage Users', to: paths.manageUsers },
  { label: 'Manage Products', to: paths.manageProducts },
  { label: 'Manage Cat(s)', to: paths.manageCategories },
  { label: 'My Admin Dashboard', to: paths.adminDashboard },
]

export function EditTabs() {
  return (
    <Group
      component="nav"
      aria-label="From here"
      gap="xs"
      mb="sm"
      py={4}
      wrap="nowrap"
      className={classes.ways}
    >
      {tabs.map(({ label, to }) => (
        <Button key={label} component={Link} to={to} variant="default" size="xs" flex="none">
          {label}
        </Button>
      ))}
    </Group>
  )
}
