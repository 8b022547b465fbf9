import { Anchor, Button, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { formatCount } from './import-words.ts'
import classes from './staged-card.module.css'
import { StateCard } from './state-card.tsx'

const ROOT = 'ecomm'

const inMissionControl = (path: string): string =>
  `${paths.missionControl}?${new URLSearchParams({ view: 'preprocess', root: ROOT, path })}`

/** What the server staged: how many rows, and in which files (spec, section 3). */
export function StagedCard({ record }: { record: ImportRecord }) {
  const isAdmin = useSession().user?.role === 1
  const { total, rejected, files } = record
  if (!files) return null
  const file = (path: string) =>
    isAdmin ? (
      <Anchor component={Link} to={inMissionControl(path)}>
        {path}
      </Anchor>
    ) : (
      <code>{path}</code>
    )
  return (
    <StateCard title="Staged rows" busy={false}>
      <Stack gap="md" align="flex-start">
        <dl className={classes.facts}>
          <dt>Rows</dt>
          <dd>{formatCount(total ?? 0)}</dd>
          <dt>Rejected</dt>
          <dd>{formatCount(rejected ?? 0)}</dd>
          <dt>JSON</dt>
          <dd>{file(files.json)}</dd>
          <dt>CSV</dt>
          <dd>{file(files.csv)}</dd>
          <dt>Staging reference</dt>
          <dd>
            <code>{`${ROOT}:${files.json}`}</code>
          </dd>
        </dl>
        {isAdmin && (
          <Button component={Link} to={inMissionControl(files.json)} variant="default">
            Open in Mission Control
          </Button>
        )}
      </Stack>
    </StateCard>
  )
}
