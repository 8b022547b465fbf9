import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

/** As the contract has them; the browser's own types are wider. */
type Options = { challenge: string }

/** Whether passkeys work here: in this browser, and under the address that the server's passkeys belong to. */
export const canUsePasskeys = (at: string | null | undefined): boolean =>
  at === window.location.origin && 'PublicKeyCredential' in window

/** Asks the device for a new passkey. Throws PasskeyError. */
export async function makePasskey(options: Options): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await loadPasskeys()
  return asPasskeyError(
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
}

/** Asks the device to sign with one of the person's passkeys. Throws PasskeyError. */
export async function signWithPasskey(options: Options): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await loadPasskeys()
  return asPasskeyError(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }))
}

/** Only people with a passkey need this code. */
const loadPasskeys = () => import('@simplewebauthn/browser')

/** The device did not do it. `message` is a sentence for the user. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
}

/** The browser does not say whether a person closed the prompt or has no passkey here. */
const sentences: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
}

async function asPasskeyError<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    throw new PasskeyError(sentences[name] ?? 'No passkey was used. Please try again.', { cause })
  }
}
