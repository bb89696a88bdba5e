import type { api } from '#contract/api.ts'
import { consoleMembers, type ConsoleMember } from '#contract/people/console-members.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import type { CsvColumns } from '../../../platform/http/csv-download.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { rightsOf } from '../../members/rights.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { listSummaries } from './member-list.queries.ts'
import { presentListed, presentMember } from './read-member.ts'

/** Rights as granted, whether active or not. */
const columns: CsvColumns<ConsoleMember & { granted: ReturnType<typeof rightsOf> }> = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['name', ({ name }) => name],
  ['state', ({ active, isClosed }) => (active ? 'active' : isClosed ? 'deactivated' : 'not activated')],
  [
    'rights',
    ({ granted }) =>
      Object.entries(granted)
        .flatMap(([right, level]) =>
          level === true ? [right] : level === false || level === 0 ? [] : [`${right} ${level}`],
        )
        .join('; '),
  ],
  ['identity', ({ kyc }) => kyc],
  ['second factor', ({ hasFactor }) => (hasFactor ? 'yes' : 'no')],
  ['joined', ({ memberSince }) => memberSince],
  ['last sign-in', ({ lastSignIn }) => lastSignIn ?? ''],
]

const served = serveResource(consoleMembers, {
  read: ({ db, config, caller }, filters, page) =>
    listSummaries(db, filters, page, {
      reader: { id: caller.memberId, rule: config },
      maySeeWallets: levelOf(caller.rights, 'finance') >= 1 && !caller.token,
    }),
  present: ({ config }, rows) => rows.map((row) => presentListed(row, config)),
  file: {
    name: 'members',
    columns,
    lines: ({ config }, rows) =>
      rows.map((row) => ({ ...presentListed(row, config), granted: rightsOf(row) })),
    limit: { perHour: 20 },
  },
  detail: ({ db, config, caller }, id) => presentMember(db, config, caller, id),
})
export const { list: listConsoleMembers, get: getConsoleMember } = served

/** Logged before the first row is sent, which can't be undone. */
export const exportConsoleMembers: Handler<typeof api.exportConsoleMembers> = async (input, context) => {
  const file = await served.file(input, context)
  await recordAudit(context.db, {
    actorId: context.caller.memberId,
    action: 'members-exported',
    subjectKind: 'member',
    subjectId: null,
  })
  return file
}
