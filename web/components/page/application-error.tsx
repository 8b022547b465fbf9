import { Button, Code, Container, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Code.layer.css'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { paths } from '#web/paths.ts'
import { usePageTitle } from './page.tsx'

/** Shown if a page throws while rendering. */
export function ApplicationError() {
  const error = useRouteError()
  usePageTitle('Application Error')
  return (
    <Container size="46rem" py="4rem">
      <Stack gap="md" align="flex-start">
        <Title order={1}>Unexpected Application Error!</Title>
        <Text className="second">
          Something went wrong on this page. What you saved is safe, and reloading usually helps. If it keeps
          happening, send technical support the line below.
        </Text>
        <Code block>{sentenceOf(error)}</Code>
        <Group gap="sm">
          <Button onClick={() => window.location.reload()}>Reload page</Button>
          {/* A full page load drops whatever state caused the error. */}
          <Button component="a" href={paths.home} variant="default">
            Go to the home page
          </Button>
        </Group>
      </Stack>
    </Container>
  )
}

function sentenceOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`
  return error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown error'
}
