import { Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLayoutSidebar } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import classes from './admin-layout.module.css'
import { AdminSideList } from './admin-side-list.tsx'

/** The side list where there is no room for it beside the page; a change of route closes it. */
export function AdminMenu() {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is read by nobody; its change is the signal
  useEffect(close, [key])

  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        className={classes.menuButton}
        leftSection={<IconLayoutSidebar size={18} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={open}
      >
        Menu
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        size="min(20rem, 85vw)"
        title="Admin menu"
        closeButtonProps={{ 'aria-label': 'Close admin menu', size: 'lg' }}
      >
        <AdminSideList />
      </Drawer>
    </>
  )
}
