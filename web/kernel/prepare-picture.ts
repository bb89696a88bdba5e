/** Maximum length of the longer edge in pixels: documents stay legible, and a photo shrinks to a tenth of its size. */
const edgeMax = 3000
const quality = 0.9

/** Some systems do not set a type for HEIC files. */
export const isHeic = (file: { name: string; type: string }): boolean =>
  /^image\/hei[cf]$/.test(file.type) || (file.type === '' && /\.hei[cf]$/i.test(file.name))

/** Scales a picture down to fit into a square of `edge`; never up. */
export function fit(width: number, height: number, edge: number): { width: number; height: number } {
  const scale = Math.min(1, edge / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Redraws the picture upright, rotated by quarter turns and scaled down, as JPEG. Camera metadata such as the location
 * is dropped. Also returns the size of the original picture. Null if this browser cannot decode the file.
 */
export async function preparePicture(
  file: Blob,
  quarterTurns: number,
): Promise<{ blob: Blob; width: number; height: number } | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return null
  const own = { width: bitmap.width, height: bitmap.height }
  const { width, height } = fit(own.width, own.height, edgeMax)
  const isOnItsSide = quarterTurns % 2 === 1
  const canvas = document.createElement('canvas')
  canvas.width = isOnItsSide ? height : width
  canvas.height = isOnItsSide ? width : height
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((quarterTurns * Math.PI) / 2)
  context.drawImage(bitmap, -width / 2, -height / 2, width, height)
  bitmap.close()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  canvas.width = 0
  return blob && { blob, ...own }
}

export const readDataUrl = (blob: Blob, type: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () =>
      resolve((reader.result as string).replace(/^data:[^,]*?;base64,/, `data:${type};base64,`))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(blob)
  })
