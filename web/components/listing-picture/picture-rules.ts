import { MAX_PICTURE_BYTES } from '#contract/picture-rules.ts'

type Picture = { name: string; size: number }

const startsWith = (bytes: Uint8Array, text: string, offset = 0) =>
  [...text].every((letter, at) => bytes[offset + at] === letter.charCodeAt(0))

/** By content, since a name says nothing: the first 12 bytes of a file tell. */
function kindOf(bytes: Uint8Array): 'ours' | 'heic' | 'other' {
  const jpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
  const png = bytes[0] === 0x89 && startsWith(bytes, 'PNG', 1)
  const webp = startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)
  if (jpeg || png || webp) return 'ours'
  const brand = startsWith(bytes, 'ftyp', 4) ? String.fromCharCode(...bytes.subarray(8, 12)) : ''
  return /^(heic|heix|hevc|mif1|msf1)$/.test(brand) ? 'heic' : 'other'
}

/** Why a file cannot be the picture, in words that say what to do; undefined when it can. */
export function pictureProblem({ name, size }: Picture, firstBytes: Uint8Array): string | undefined {
  if (size === 0) return `“${name}” is empty. Choose another picture.`
  if (size > MAX_PICTURE_BYTES) {
    const megabytes = (size / 1024 / 1024).toFixed(1)
    return `“${name}” has ${megabytes} MB. A picture has at most 10 MB.`
  }
  const kind = kindOf(firstBytes)
  if (kind === 'heic') return `“${name}” is a HEIC photo. Save it as JPEG, PNG or WebP and choose it again.`
  return kind === 'ours' ? undefined : `“${name}” is not a JPEG, PNG or WebP picture.`
}

export async function checkPictureFile(file: File): Promise<string | undefined> {
  return pictureProblem(file, new Uint8Array(await file.slice(0, 12).arrayBuffer()))
}
