import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { collectHandlers, type Module } from '../../platform/module.ts'
import { deletePastMarks, sumUpReadsBefore } from './read-count.queries.ts'
import * as readsHandlers from './reads-handlers.ts'
import { nameOfDay } from './tally-reads.ts'

/** How often pages, posts, and documents are read. */
export const reads = {
  calls: collectHandlers(readsHandlers),
  cleanUp: {
    // Also removes what is left when the setting was turned off.
    pastReaders: ({ db }) => deletePastMarks(db, nameOfDay(Math.floor((Date.now() - MINUTE) / DAY))),
    oldReads: ({ db }) => sumUpReadsBefore(db, readsHandlers.dailySince()),
  },
} satisfies Module
