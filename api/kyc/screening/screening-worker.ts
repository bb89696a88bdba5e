import { stat } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { readListFile, type ListFile } from './list-file.ts'
import type { Asked } from './screening-thread.ts'

/*
 * A thread of its own that keeps the list ready for comparison: reading it and comparing names holds up nobody. It looks at every question
 * whether the file has changed.
 */

const { file } = workerData as { file: string }
let read: { stamp: string; list: ListFile } | undefined

async function readCurrent(): Promise<ListFile> {
  const { mtimeMs, size, ino } = await stat(file)
  const stamp = `${mtimeMs} ${size} ${ino}`
  if (read?.stamp !== stamp) read = { stamp, list: await readListFile(file) }
  return read.list
}

async function answer({ n, person }: Asked): Promise<void> {
  try {
    const { hash, lists, index } = await readCurrent()
    parentPort!.postMessage({ n, listHash: hash, lists, found: person && index.search(person) }, [])
  } catch (error) {
    parentPort!.postMessage({ n, problem: error instanceof Error ? error.message : 'unknown' }, [])
  }
}

let last = Promise.resolve()
parentPort!.on('message', (asked: Asked) => {
  last = last.then(() => answer(asked))
})
