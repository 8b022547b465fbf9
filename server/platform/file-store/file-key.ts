// No name begins with a dot, so no key can reach the parts of unfinished writes, a hidden file or the folder above;
// none ends with one, since some file systems drop it.
const KEY = /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?(?:\/[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?)*$/

// Below the 1,024 bytes of S3, and leaves room for the folder in a path of at most 4,096.
const LONGEST = 512

export function isFileKey(key: string): boolean {
  return key.length <= LONGEST && KEY.test(key) && !key.includes('..')
}

/**
 * Keys are made by us, from hashes and slugs: a wrong one is a bug, and must not become a path.
 * @throws RangeError
 */
export function checkFileKey(key: string): string {
  if (!isFileKey(key))
    throw new RangeError(`Not a key of the file store: ${JSON.stringify(key.slice(0, 100))}`)
  return key
}
