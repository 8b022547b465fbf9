import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { NewPasskey, PasskeyAssertion } from '#contract/account/accounts.ts'

/** As the contract has them; the browser's own types are wider. */
type Options = { challenge: string }

/** Whether passkeys work here: in this browser, and under the address that the server's passkeys belong to. */
export const canUsePasskeys = (at: string | null | undefined): boolean =>
  at === window.location.origin && 'PublicKeyCredential' in window

/** Asks the device for a new passkey. Throws PasskeyError. */
export async function makePasskey(options: Options): Promise<NewPasskey> {
  const { startRegistration } = await loadPasskeys()
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const { response, ...credential } = await asPasskeyError(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports } = response
  return { ...credential, ...noExtensions, response: { clientDataJSON, attestationObject, transports } }
}

/** Asks the device to sign with one of the person's passkeys. Throws PasskeyError. */
export async function signWithPasskey(options: Options): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadPasskeys()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return { ...(await asPasskeyError(startAuthentication({ optionsJSON }))), ...noExtensions }
}

/** We request no extensions. */
const noExtensions = { clientExtensionResults: {} }

/** Only people with a passkey need this code. */
const loadPasskeys = () => import('@simplewebauthn/browser')

/** The device did not create or use a passkey. `message` is a sentence for the user. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
}

/** The browser does not say whether a person closed the prompt or has no passkey here. */
const sentences: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this URL.',
}

async function asPasskeyError<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    throw new PasskeyError(sentences[name] ?? 'No passkey was used. Please try again.', { cause })
  }
}
