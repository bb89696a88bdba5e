import type { api } from '#contract/api.ts'
import {
  mailCountMax,
  mails,
  type ConsoleMail,
  type ConsoleMailDetail,
  type MailFigures,
} from '#contract/platform/console-mails.ts'
import type { Language } from '#contract/platform/fields.ts'
import { listAuditOfRecord } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { fieldColumns, type CsvColumns } from '../../http/csv-download.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { serveResource } from '../../resource/serve-resource.ts'
import { fixedHeaders, messageIdOf } from '../deliver-mail.ts'
import { isMailKind } from '../mail-kinds.ts'
import { findMailPause } from '../pause/mail-pause.queries.ts'
import type { RenderedMail } from '../render-mail.ts'
import { openShownMail } from '../encrypted-email.ts'
import { againObstacleOf, stopObstacleOf } from './act-on-mail.ts'
import { countMailsIn, findConsoleMail, listConsoleMails, type OpenedMail } from './console-mail.queries.ts'
import { isWithin, canActOn, scopeOf, type MailScope } from './mail-scope.ts'
import { renderTemplate } from './mail-templates.ts'
import { presentMail, presentTries } from './present-mail.ts'
import { readShownSubjects } from './read-shown-subjects.ts'

const columns: CsvColumns<ConsoleMail> = fieldColumns(
  'id',
  'to',
  'kind',
  'state',
  'trouble',
  'code',
  'attempts',
  'createdAt',
  'changedAt',
  'sentAt',
  'nextTryAt',
)

export const {
  list: listMails,
  file: exportMails,
  get: getMail,
} = serveResource(mails, {
  read: ({ db, caller }, filters, page) => listConsoleMails(db, scopeOf(caller), filters, page),
  present: async (context, rows) => {
    const subjects = await readShownSubjects(context, rows)
    return rows.map((row) => presentMail(row, context.request.language, subjects.get(row.id)))
  },
  file: {
    columns,
    lines: ({ request }, rows) => rows.map((row) => presentMail(row, request.language)),
  },
  detail: async (context, id) => {
    const { db, caller, request } = context
    const row = await findConsoleMail(db, id)
    if (!row || !isWithin(scopeOf(caller), row.kind)) return undefined
    const mayAct = canActOn(caller, row.kind)
    const content = mayAct ? contentOf(row, context) : null
    return {
      ...presentMail(row, request.language, (await readShownSubjects(context, [row])).get(row.id)),
      memberId: row.member_id,
      language: row.language,
      headers: headersOf(row, context, content?.subject),
      tries: presentTries(row),
      actions: await actionsOf(db, row.id),
      content,
      mayAct,
      againObstacle: againObstacleOf(row),
      stopObstacle: stopObstacleOf(row),
    }
  },
})

/** Emails that need attention. `scope` limits which ones. */
export async function countMails(db: Tx, scope: MailScope): Promise<Omit<MailFigures, 'pausedAt'>> {
  const counted = async (state: keyof Omit<MailFigures, 'pausedAt'>) => {
    const count = await countMailsIn(db, scope, state)
    return { count: Math.min(count, mailCountMax), isMore: count > mailCountMax }
  }
  return {
    waiting: await counted('waiting'),
    retrying: await counted('retrying'),
    failed: await counted('failed'),
    stopped: await counted('stopped'),
  }
}

export const readMailFigures: Handler<typeof api.readMailFigures> = async (_, { db, caller }) => ({
  ...(await countMails(db, scopeOf(caller))),
  pausedAt: (await findMailPause(db))?.toISOString() ?? null,
})

/** The rendered email, or its template if the text was erased. */
function contentOf(row: OpenedMail, { keys, request }: MemberContext): ConsoleMailDetail['content'] {
  const language: Language = row.language ?? request.language
  const shown = shownOf(row, keys)
  if (shown) return { ...shown, isTemplate: false }
  return isMailKind(row.kind) ? { ...renderTemplate(row.kind, language, 'blank'), isTemplate: true } : null
}

function shownOf({ id, sealed_message }: OpenedMail, keys: MemberContext['keys']): RenderedMail | undefined {
  if (!sealed_message) return undefined
  try {
    return openShownMail(keys, { id, sealed_message })
  } catch {
    // Sealed with another key, as its attempts say.
    return undefined
  }
}

function headersOf(row: OpenedMail, { config }: MemberContext, subject: string | undefined) {
  const headers = {
    From: config.mailFrom,
    To: row.to_address,
    ...(subject !== undefined && { Subject: subject }),
    'Message-ID': row.message_id ?? messageIdOf(row.id, config),
    ...fixedHeaders,
  }
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

const done = { 'mail-sent-again': 'sent_again', 'mail-stopped': 'stopped' } as const
const isDone = (action: string): action is keyof typeof done => Object.hasOwn(done, action)

async function actionsOf(db: Tx, id: string): Promise<ConsoleMailDetail['actions']> {
  const entries = await listAuditOfRecord(db, 'mail', id)
  return entries.flatMap(({ at, action, actor_name }) =>
    isDone(action) ? [{ at: at.toISOString(), what: done[action], by: actor_name ?? '' }] : [],
  )
}
