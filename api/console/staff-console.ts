import { collectHandlers, type Module, type Source } from '../platform/module.ts'
import * as listNeedsAttention from './home/list-waiting.ts'
import * as readFigures from './home/read-figures.ts'
import * as readTimeline from './timeline/read-timeline.ts'
import { deleteViewsOfMember, listViewsOfMember } from './views/console-view.queries.ts'
import * as viewHandlers from './views/view-handlers.ts'

/** What the console shows across all modules, and the saved views of staff. */
export const staffConsole = {
  calls: collectHandlers(listNeedsAttention, readFigures, readTimeline, viewHandlers),
  personal: {
    columns: {
      console_view: { member_id: 'erased', list: 'erased', name: 'erased', query: 'erased' },
    },
    parts: { savedViews: { isList: true, read: readViews } },
    erase: (db, { id }) => deleteViewsOfMember(db, id),
  },
} satisfies Module

async function* readViews({ db, member }: Source) {
  for (const { list, name, query, created_at } of await listViewsOfMember(db, member.id))
    yield { list, name, query, createdAt: created_at.toISOString() }
}
