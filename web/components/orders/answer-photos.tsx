import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import { MAX_RETURN_PHOTOS } from '#contract/order/returns/return-steps.ts'
import { call } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { type AddedPhotos, useAddedPhotos } from './added-photos.ts'
import { problemOf } from './step-dialog.tsx'

/** Photos that a yard adds to its answer. */
export const useAnswerPhotos = (orderId: string, before = 0): AddedPhotos =>
  useAddedPhotos(async (file) => {
    try {
      return await call(returnEndpoints.addSellerPhoto, { params: { id: orderId }, file })
    } catch (cause) {
      const error = cause instanceof Error ? cause : null
      return {
        problem:
          problemOf(error, 'image') ?? errorSentence(cause, 'It could not be added. Please try again.'),
      }
    }
  }, before)

/** `readers` says who sees them: "Ruth and we see them." */
export function AnswerPhotos({ photos, readers }: { photos: AddedPhotos; readers: string }) {
  return (
    <Stack gap="xs" role="group" aria-label="Photos">
      <Text size="sm" className="second">
        JPEG, PNG or WebP, at most {MAX_RETURN_PHOTOS}. {readers}
      </Text>
      {photos.added.map(({ id, name }) => (
        <Group key={id} gap="sm">
          <Text size="sm">{name}</Text>
          <Button size="xs" variant="subtle" aria-label={`Remove ${name}`} onClick={() => photos.remove(id)}>
            Remove
          </Button>
        </Group>
      ))}
      <FileButton
        multiple
        accept="image/jpeg,image/png,image/webp"
        onChange={(files) => void photos.add(files)}
      >
        {(props) => (
          <Group>
            <Button {...props} variant="default" loading={photos.isBusy}>
              Add photos
            </Button>
          </Group>
        )}
      </FileButton>
      {photos.problem !== undefined && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {photos.problem}
        </Text>
      )}
    </Stack>
  )
}
