import { SECOND } from '#contract/durations.ts'
import { Refused, refusedField } from '../../../refused.ts'
import { openThread, ThreadFailed } from '../../../threads/open-thread.ts'
import type { ReadPdf } from './read-pdf.ts'

/** Megabytes take a second or more: not at the cost of the other requests. */
const thread = openThread<Uint8Array, ReadPdf>(new URL('./read-pdf-worker.ts', import.meta.url), {
  answerMax: 15 * SECOND,
  waitingMax: 4,
  memoryMaxMb: 512,
})

/** One that takes too long, or more room than there is, is none that can be read. */
export async function readPdfApart(bytes: Buffer): Promise<ReadPdf> {
  try {
    return await thread.ask(bytes)
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw error.isBusy ? new Refused('unavailable') : refusedField('pdf', 'document')
  }
}
