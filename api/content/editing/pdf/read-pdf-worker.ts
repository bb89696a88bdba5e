import { answerQuestions } from '../../../threads/answer-questions.ts'
import { readPdf, type ReadPdf } from './read-pdf.ts'

/** What crosses between threads is plain bytes. */
answerQuestions((bytes: Uint8Array): ReadPdf =>
  readPdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
)
