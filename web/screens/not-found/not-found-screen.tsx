import { Group } from '@mantine/core'
import lost from '#web/artwork/lost.svg?raw'
import { ButtonLink } from '#web/components/links.tsx'
import { Empty } from '#web/site/page.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  return (
    <Page title="Page not found" width="text">
      <Empty
        drawing={lost}
        title="We couldn’t find that page"
        text="It may have moved, or the part may be sold. Search the parts or go to the home page."
        action={
          <Group gap="sm" justify="center">
            <ButtonLink to={paths.parts}>Find auto parts</ButtonLink>
            <ButtonLink to={paths.home} variant="default">
              Go to the home page
            </ButtonLink>
          </Group>
        }
      />
    </Page>
  )
}
