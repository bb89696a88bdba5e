import { stat } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../../platform/threads/answer-questions.ts'
import { readListFile, type ListFile } from './list-file.ts'
import type { Person } from './screen.ts'
import type { Answered } from './screening-thread.ts'

/* Checks at every request whether the file has changed. */

const { file } = workerData as { file: string }
let read: { stamp: string; list: ListFile } | undefined

async function readCurrent(): Promise<ListFile> {
  const { mtimeMs, size, ino } = await stat(file)
  const stamp = `${mtimeMs} ${size} ${ino}`
  if (read?.stamp !== stamp) read = { stamp, list: await readListFile(file) }
  return read.list
}

answerQuestions(async (person: Person | null): Promise<Answered> => {
  const { hash, lists, index } = await readCurrent()
  return { listHash: hash, lists, found: person && index.search(person) }
})
