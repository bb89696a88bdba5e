import { SECOND } from '#contract/platform/durations.ts'
import { Refused, refusedField } from '../refused.ts'
import { openThread, ThreadFailed } from '../threads/open-thread.ts'
import type { Pieces } from '../uploads/receive-uploads.ts'
import type { ReadPdf } from './read-pdf.ts'

/** A file of several megabytes takes a second or more, so it runs in a separate thread. */
const thread = openThread<Uint8Array, ReadPdf>(new URL('./read-pdf-worker.ts', import.meta.url), {
  answerMax: 15 * SECOND,
  waitingMax: 4,
  memoryMaxMb: 512,
})

/** Whether a file claims to be a PDF. */
export const isPdf = (head: Buffer): boolean => head.toString('latin1').startsWith('%PDF-')

/** Returns the bytes and the page count of an uploaded PDF. Refuses files that are unreadable or have active content. */
export async function checkPdf(
  upload: { head: Buffer; read: () => Pieces },
  path: string,
): Promise<{ bytes: Buffer; pages: number }> {
  if (!isPdf(upload.head)) throw refusedField(path, 'document')
  const pieces: Buffer[] = []
  for await (const piece of upload.read()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const found = await readPdfApart(bytes, path)
  if (found.kind !== 'fine') throw refusedField(path, found.kind)
  return { bytes, pages: found.pages }
}

/** A file that takes too long or too much memory counts as unreadable. */
async function readPdfApart(bytes: Buffer, path: string): Promise<ReadPdf> {
  try {
    return await thread.ask(bytes)
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw error.isBusy ? new Refused('unavailable') : refusedField(path, 'document')
  }
}
