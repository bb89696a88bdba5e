import {
  addFalseEntry,
  addOfficialEntry,
  changeFalseEntry,
  changeOfficialEntry,
  exportKnownEntries,
  listKnownEntries,
  listOfficialSources,
  withdrawFalseEntry,
  withdrawOfficialEntry,
} from './console-official.ts'
import { checkOfficial, findOwnOrderByAddress, readOfficialList } from './official.ts'

/** What is official and what is not: asked by anybody, kept by the staff. */
export const officialCalls = {
  checkOfficial,
  findOwnOrderByAddress,
  readOfficialList,
  listKnownEntries,
  exportKnownEntries,
  listOfficialSources,
  addFalseEntry,
  changeFalseEntry,
  withdrawFalseEntry,
  addOfficialEntry,
  changeOfficialEntry,
  withdrawOfficialEntry,
}
