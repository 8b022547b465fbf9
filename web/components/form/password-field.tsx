// biome-ignore lint/style/noRestrictedImports: this is what everybody else is to take
import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A field for a password. The library's own draws its error but does not tell a screen reader that it is wrong. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}
