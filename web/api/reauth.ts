type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** The dialog that asks for the password; there is one on the page. */
export function setReauthDialog(dialog: Ask | undefined): void {
  ask = dialog
}

/**
 * Asks who is at the keyboard; false if they canceled. Calls that are refused at the same moment share one dialog.
 */
export function askWhoItIs(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}
