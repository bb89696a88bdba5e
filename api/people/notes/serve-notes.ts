import type { NotedKind } from '#contract/people/mentions.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { areMentionable, insertMentions, listMentionable } from './mention.queries.ts'
import { levelOfNoted } from './present-notes.ts'
import { deleteNote, insertNote } from './note.queries.ts'

const addedPerHourMax = 200

const actions: { [Kind in NotedKind]: Record<'added' | 'removed', AuditActionOn<Kind>> } = {
  member: { added: 'note-added', removed: 'note-removed' },
  order: { added: 'order-note-added', removed: 'order-note-removed' },
  kyc: { added: 'kyc-note-added', removed: 'kyc-note-removed' },
  'ambassador-application': {
    added: 'ambassador-application-note-added',
    removed: 'ambassador-application-note-removed',
  },
}

type Serving<Output> = {
  /** Refuses a record that does not exist, that is the caller's own, or that they must not act on. */
  require: (db: Tx, context: MemberContext, id: string) => Promise<unknown>
  present: (context: MemberContext, id: string) => Promise<Output>
}

type Adding = { params: { id: string }; body: { text: string; mentions?: string[] | undefined } }

/** Creates the handlers of the endpoints that `notesOn` declares. */
export function serveNotes<Output>(kind: NotedKind, { require, present }: Serving<Output>) {
  const change = async (
    context: MemberContext,
    id: string,
    { what, work }: { what: 'added' | 'removed'; work: (db: Tx) => Promise<unknown> },
  ): Promise<Output> => {
    await transaction(context.db, async (db) => {
      await require(db, context, id)
      await work(db)
      // Without the text, because entries can't be deleted.
      await recordAudit<NotedKind>(db, {
        actorId: context.caller.memberId,
        action: actions[kind][what],
        subjectKind: kind,
        subjectId: id,
      })
    })
    return present(context, id)
  }
  const mentioning = (id: string, { memberId }: Caller) => ({
    about: { kind, id },
    level: levelOfNoted[kind],
    authorId: memberId,
  })
  return {
    add: async (
      { params: { id }, body: { text, mentions = [] } }: Adding,
      context: MemberContext,
    ): Promise<Output> => {
      const { db, keys, config, caller } = context
      const key = `staff notes ${caller.memberId}`
      await requireWithinLimits(db, keys, [{ key, max: addedPerHourMax, window: HOUR }])
      const work = async (db: Tx) => {
        const mentioned = [...new Set(mentions)]
        if (!(await areMentionable(db, config, mentioning(id, caller), mentioned)))
          throw refusedField('mentions', 'one_of')
        const noteId = await insertNote(db, { kind, id }, { authorId: caller.memberId, text })
        if (mentioned.length > 0) await insertMentions(db, noteId, mentioned)
      }
      return change(context, id, { what: 'added', work })
    },
    readers: ({ params: { id } }: { params: { id: string } }, { db, config, caller }: MemberContext) =>
      listMentionable(db, config, mentioning(id, caller)),
    remove: (
      { params: { id, noteId } }: { params: { id: string; noteId: string } },
      context: MemberContext,
    ): Promise<Output> => {
      const { memberId, rights } = context.caller
      const author = rights.isWriteAccessAdmin ? null : memberId
      const work = async (db: Tx) => {
        if (!(await deleteNote(db, { kind, id }, noteId, author))) throw new Refused('not_found')
      }
      return change(context, id, { what: 'removed', work })
    },
  }
}
