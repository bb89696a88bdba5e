import { answerQuestions } from '../threads/answer-questions.ts'
import { readPdf, type ReadPdf } from './read-pdf.ts'

/** Only plain bytes can be passed between threads. */
answerQuestions((bytes: Uint8Array): ReadPdf =>
  readPdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
)
