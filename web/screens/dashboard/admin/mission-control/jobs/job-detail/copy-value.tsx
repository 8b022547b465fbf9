import { Button, CopyButton } from '@mantine/core'

/** `what` is named to those who do not see what it stands beside: "Copy ID". */
export function CopyValue({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={copy}
          aria-label={copied ? `${what} copied` : `Copy ${what}`}
          flex="none"
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  )
}
