/** Every line of a document stays readable at this edge, and a photo becomes a tenth of its size. */
const edgeMax = 3000
const quality = 0.9

/** Some systems give HEIC files no type at all. */
export const isHeic = (file: { name: string; type: string }): boolean =>
  /^image\/hei[cf]$/.test(file.type) || (file.type === '' && /\.hei[cf]$/i.test(file.name))

/** Width and height of a picture that is to fit a square of `edge`; never larger than it was. */
export function fit(width: number, height: number, edge: number): { width: number; height: number } {
  const scale = Math.min(1, edge / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * The picture drawn anew: upright, turned by quarters, scaled down, as JPEG. What a camera wrote beside the pixels, such as the
 * place, is not in it. Null where this browser cannot draw the file.
 */
export async function preparePicture(file: Blob, quarterTurns: number): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return null
  const { width, height } = fit(bitmap.width, bitmap.height, edgeMax)
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
  return blob
}

export const readDataUrl = (blob: Blob, type: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () =>
      resolve((reader.result as string).replace(/^data:[^,]*?;base64,/, `data:${type};base64,`))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(blob)
  })
