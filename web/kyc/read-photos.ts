import { photoBytesMax, photosMax } from '#contract/kyc.ts'

/**
 * A chosen file that can be sent; `preview` is an object URL for an `<img>`, to be revoked by who shows it, or null
 * where the browser cannot draw the picture.
 */
export type Photo = { id: number; name: string; size: number; dataUrl: string; preview: string | null }

export type PhotoProblem = { name: string; problem: 'unreadable' | 'tooLarge' | 'tooMany' }

export type ReadPhotos = { photos: Photo[]; problems: PhotoProblem[] }

/** Reads chosen files as data URLs. What cannot be a photo is named with its reason, and the rest is kept. */
export async function readPhotos(files: readonly File[], alreadyChosen: number): Promise<ReadPhotos> {
  const photos: Photo[] = []
  const problems: PhotoProblem[] = []
  for (const file of files) {
    const problem = judge(file, alreadyChosen + photos.length)
    const photo = problem ? null : await readPhoto(file)
    if (photo) photos.push(photo)
    else problems.push({ name: file.name, problem: problem ?? 'unreadable' })
  }
  return { photos, problems }
}

function judge(file: File, chosen: number): PhotoProblem['problem'] | null {
  if (file.size === 0) return 'unreadable'
  if (file.size > photoBytesMax) return 'tooLarge'
  return chosen >= photosMax ? 'tooMany' : null
}

let lastId = 0

/** Null where the file cannot be read or is no picture. Few browsers draw HEIC: the server judges those. */
async function readPhoto(file: File): Promise<Photo | null> {
  const dataUrl = await readDataUrl(file).catch(() => null)
  if (dataUrl === null) return null
  const type = isHeic(file) ? 'image/heic' : file.type
  const typed = dataUrl.replace(/^data:[^,]*?;base64,/, `data:${type};base64,`)
  const canDraw = await createImageBitmap(file).then(
    (bitmap) => {
      bitmap.close()
      return true
    },
    () => false,
  )
  if (!canDraw && !isHeic(file)) return null
  lastId += 1
  const preview = canDraw ? URL.createObjectURL(file) : null
  return { id: lastId, name: file.name, size: file.size, dataUrl: typed, preview }
}

/** Some systems give HEIC files no type at all. */
export const isHeic = (file: { name: string; type: string }): boolean =>
  /^image\/hei[cf]$/.test(file.type) || (file.type === '' && /\.hei[cf]$/i.test(file.name))

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })
