/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun with the click; the address is only a handle to it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
