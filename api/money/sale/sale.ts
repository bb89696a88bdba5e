import { DAY } from '#contract/platform/durations.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import * as decideProposal from './decide-proposal.ts'
import { startPublicSaleWorker } from './public-sale-worker.ts'
import * as publicSale from './public-sale.ts'
import * as readRounds from './read-rounds.ts'
import * as restoreVersion from './restore-version.ts'
import { deleteAdmissionsOf, listAdmissionsOf } from './round-guest.queries.ts'
import * as roundGuests from './round-guests.ts'
import * as saleHandlers from './sale-handlers.ts'
import { deleteOldReminders, listRemindersOf } from './sale-reminder.queries.ts'
import * as saleReminders from './sale-reminders.ts'
import { expireProposals } from './sale-proposal.queries.ts'
import { deleteSaleSetter, deletePriceEditors } from './sale.queries.ts'

/** The sale: its settings, its public data, and reminders that it has opened. */
export const sale = {
  calls: collectHandlers(
    decideProposal,
    publicSale,
    readRounds,
    restoreVersion,
    roundGuests,
    saleHandlers,
    saleReminders,
  ),
  personal: {
    columns: {
      sale: { updated_by: 'remains' },
      withdrawn_price: { pay_method: 'remains' },
      sale_setter: { member_id: 'erased' },
      sale_round_guest: { email: 'erased', added_by: 'remains' },
      sale_reminder: { email: 'erased', mail_id: 'erased' },
      sale_proposal: {
        proposed_by: 'remains',
        ended_by: 'remains',
        reason: 'remains',
        settings: 'remains',
        changes: 'remains',
      },
    },
    parts: {
      saleReminder: { isList: true, read: readReminders },
      saleRounds: { isList: true, read: readAdmissions },
    },
    erases: { saleReminder: async (db, member) => (await listRemindersOf(db, member)).length > 0 },
    erase: async (db, member) => {
      await deleteSaleSetter(db, member.id)
      await deleteAdmissionsOf(db, member)
      for (const { id } of await listRemindersOf(db, member)) await saleReminders.cancelReminder(db, id)
    },
  },
  cleanUp: {
    saleSetters: ({ db }) => deletePriceEditors(db, 2 * DAY),
    saleProposals: ({ db }) => expireProposals(db),
    saleReminders: ({ db }) => deleteOldReminders(db),
  },
  workers: [startPublicSaleWorker],
} satisfies Module

async function* readReminders({ db, member }: Source) {
  for (const row of await listRemindersOf(db, member))
    yield {
      address: row.email,
      language: row.language,
      askedAt: row.asked_at.toISOString(),
      confirmedAt: row.confirmed_at?.toISOString() ?? null,
    }
}

async function* readAdmissions({ db, member }: Source) {
  for (const row of await listAdmissionsOf(db, member))
    yield { round: { en: row.name_en, cn: row.name_cn }, addedAt: row.added_at.toISOString() }
}
