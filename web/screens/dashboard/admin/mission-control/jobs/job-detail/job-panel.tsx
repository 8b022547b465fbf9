import { ActionIcon, Group, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { SideDrawer, useLastChosen } from '#web/components/admin/side-drawer.tsx'
import classes from '#web/screens/dashboard/admin/mission-control/jobs/jobs.module.css'
import { JobDetails } from './job-details.tsx'

type JobPanelProps = {
  id: string | undefined
  onChoose: (id: string) => void
  onClose: () => void
}

/** The job that was chosen: beside the list where there is room for 480 px, else above it. */
export function JobPanel({ id, onChoose, onClose }: JobPanelProps) {
  const hasRoom = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  const last = useLastChosen(id)
  if (!hasRoom) {
    return (
      <SideDrawer opened={id !== undefined} onClose={onClose} title="Job Detail">
        {last !== undefined && <JobDetails key={last} id={last} onChoose={onChoose} />}
      </SideDrawer>
    )
  }
  return (
    <aside className={classes.panel} aria-labelledby="job-detail">
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2} id="job-detail" tabIndex={-1}>
          Job Detail
        </Title>
        {id !== undefined && (
          <ActionIcon variant="subtle" color="gray" size="lg" onClick={onClose} aria-label="Close job detail">
            <IconX size={20} />
          </ActionIcon>
        )}
      </Group>
      {id === undefined ? (
        <Text className="second">No job selected</Text>
      ) : (
        <JobDetails key={id} id={id} onChoose={onChoose} />
      )}
    </aside>
  )
}
