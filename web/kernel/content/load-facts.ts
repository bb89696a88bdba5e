import { call } from '../call/call.ts'
import { factsFrom, type FactFile, type Facts, type ReadFacts } from './facts.ts'
import { loadedFacts } from './known-content.ts'

const readFacts = factsFrom(call)

/** Like `factsFrom`, but requests only what the browser does not have yet. */
export const loadFacts: ReadFacts = async <File extends FactFile>(...files: readonly File[]) => {
  const missing = files.filter((file) => !loadedFacts.has(file))
  const found = missing.length > 0 ? await readFacts(...missing) : {}
  for (const [file, value] of Object.entries(found)) loadedFacts.set(file, value)
  return Object.fromEntries(files.map((file) => [file, loadedFacts.get(file)])) as Facts<File>
}
