import { SECOND } from '#contract/platform/durations.ts'
import { Refused, refusedField } from '../../../../platform/refused.ts'
import { openThread, ThreadFailed } from '../../../../platform/threads/open-thread.ts'
import type { ReadPdf } from './read-pdf.ts'

/** A file of several megabytes takes a second or more, so it runs in a separate thread. */
const thread = openThread<Uint8Array, ReadPdf>(new URL('./read-pdf-worker.ts', import.meta.url), {
  answerMax: 15 * SECOND,
  waitingMax: 4,
  memoryMaxMb: 512,
})

/** A file that takes too long or too much memory counts as unreadable. */
export async function readPdfApart(bytes: Buffer): Promise<ReadPdf> {
  try {
    return await thread.ask(bytes)
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw error.isBusy ? new Refused('unavailable') : refusedField('pdf', 'document')
  }
}
