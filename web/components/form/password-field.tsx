// biome-ignore lint/style/noRestrictedImports: this is the wrapper that other files must use
import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine's password field shows an error but does not mark the input invalid for screen readers. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}

export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField
    description="At least 8 characters. A few unrelated words are easy to remember."
    autoComplete="new-password"
    {...props}
  />
)
