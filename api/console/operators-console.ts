import type { Noun, Source } from '../noun.ts'
import { listWaiting } from './home/list-waiting.ts'
import { readConsoleFigures } from './home/read-figures.ts'
import { deleteViewsOfMember, listViewsOfMember } from './views/console-view.queries.ts'
import {
  dropConsoleView,
  listConsoleViews,
  renameConsoleView,
  saveConsoleView,
} from './views/view-handlers.ts'

/** What the console shows across all nouns, and what its operators keep for themselves. */
export const operatorsConsole = {
  calls: {
    listWaiting,
    readConsoleFigures,
    listConsoleViews,
    saveConsoleView,
    renameConsoleView,
    dropConsoleView,
  },
  personal: {
    columns: {
      console_view: { member_id: 'erased', list: 'erased', name: 'erased', query: 'erased' },
    },
    parts: { savedViews: { isList: true, read: readViews } },
    erase: (db, { id }) => deleteViewsOfMember(db, id),
  },
} satisfies Noun

async function* readViews({ db, member }: Source) {
  for (const { list, name, query, created_at } of await listViewsOfMember(db, member.id))
    yield { list, name, query, createdAt: created_at.toISOString() }
}
