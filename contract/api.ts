import * as operations from './console/operations.ts'
import * as content from './publishing/content.ts'
import * as whitePaper from './publishing/white-paper.ts'
import * as apps from './people/apps.ts'
import * as members from './people/members.ts'
import * as mailboxes from './platform/mailboxes.ts'
import * as notifications from './platform/notifications.ts'
import * as conversations from './people/conversations.ts'
import * as consoleConversations from './people/console-conversations.ts'
import * as privacy from './people/privacy.ts'
import * as consents from './people/consents.ts'
import * as consoleMembers from './people/console-members.ts'
import * as mentions from './people/mentions.ts'
import * as staffInvitations from './people/staff-invitations.ts'
import * as consoleMails from './platform/console-mails.ts'
import * as webhooks from './integrations/webhooks.ts'
import * as sessions from './people/sessions.ts'
import * as lostFactors from './people/account-recovery.ts'
import * as passkeys from './people/passkeys.ts'
import * as ambassadors from './people/ambassadors.ts'
import * as ambassadorProfiles from './people/ambassador-profiles.ts'
import * as ambassadorResults from './people/ambassador-results.ts'
import * as consoleAmbassadorProfiles from './people/console-ambassador-profiles.ts'
import * as consoleAmbassadors from './people/console-ambassadors.ts'
import * as announcements from './publishing/announcements.ts'
import * as newsroom from './publishing/newsroom.ts'
import * as reads from './publishing/reads.ts'
import * as newsletter from './publishing/newsletter.ts'
import * as search from './publishing/search.ts'
import * as signatures from './publishing/signatures.ts'
import * as orders from './money/orders.ts'
import * as orderDesk from './money/order-desk.ts'
import * as chainPayments from './money/chain-payments.ts'
import * as consoleOrders from './money/console-orders.ts'
import * as orderTotals from './money/order-totals.ts'
import * as importPayments from './money/import-payments.ts'
import * as statements from './money/statements.ts'
import * as withdrawals from './money/withdrawals.ts'
import * as consoleWithdrawals from './money/console-withdrawals.ts'
import * as deliveries from './money/deliveries.ts'
import * as consoleDeliveries from './money/console-deliveries.ts'
import * as payoutTransfers from './money/payout-transfers.ts'
import * as payouts from './money/payouts.ts'
import * as memberHome from './money/member-home.ts'
import * as orderChanges from './money/order-changes.ts'
import * as sale from './money/sale.ts'
import * as publicSale from './money/public-sale.ts'
import * as saleProposals from './money/sale-proposals.ts'
import * as saleRounds from './money/sale-rounds.ts'
import * as settings from './people/settings.ts'
import * as fourEyes from './people/four-eyes.ts'
import * as kyc from './people/kyc.ts'
import * as kycHandoff from './people/kyc-handoff.ts'
import * as kycReview from './people/kyc-review.ts'
import * as kycExport from './people/kyc-export.ts'
import * as consoleHome from './console/console-home.ts'
import * as consoleSetup from './console/console-setup.ts'
import * as consoleViews from './console/console-views.ts'
import * as consoleRecord from './console/console-audit-log.ts'
import * as consoleHealth from './console/console-health.ts'
import * as maintenance from './console/maintenance.ts'
import * as consoleContent from './publishing/console-content.ts'
import * as contentShapes from './publishing/content-shapes.ts'
import * as contentVersions from './publishing/content-versions.ts'
import * as consoleContentFiles from './publishing/console-content-files.ts'
import * as apiTokens from './people/api-tokens.ts'
import * as official from './publishing/official.ts'
import * as consoleOfficial from './publishing/console-official.ts'
import type { Endpoint } from './platform/endpoint.ts'

export const version = 'v2'

type Exports = Readonly<Record<string, unknown>>
type EndpointsOf<Module> = {
  [Name in keyof Module as Module[Name] extends Endpoint ? Name : never]: Module[Name]
}

/** Keeps the endpoints among the exports of a contract module. */
const collectFrom = <Module extends Exports>(module: Module): EndpointsOf<Module> =>
  Object.fromEntries(Object.entries(module).filter(([, value]) => isEndpoint(value))) as EndpointsOf<Module>

const isEndpoint = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'output' in value

/** Every endpoint, by the name of its declaration, its handler, and its test. Declaring and exporting one in a module below adds it here. */
export const api = {
  ...collectFrom(operations),
  ...collectFrom(content),
  ...collectFrom(whitePaper),
  ...collectFrom(apps),
  ...collectFrom(members),
  ...collectFrom(mailboxes),
  ...collectFrom(notifications),
  ...collectFrom(conversations),
  ...collectFrom(consoleConversations),
  ...collectFrom(privacy),
  ...collectFrom(consents),
  ...collectFrom(consoleMembers),
  ...collectFrom(mentions),
  ...collectFrom(staffInvitations),
  ...collectFrom(consoleMails),
  ...collectFrom(webhooks),
  ...collectFrom(sessions),
  ...collectFrom(lostFactors),
  ...collectFrom(passkeys),
  ...collectFrom(ambassadors),
  ...collectFrom(ambassadorProfiles),
  ...collectFrom(ambassadorResults),
  ...collectFrom(consoleAmbassadorProfiles),
  ...collectFrom(consoleAmbassadors),
  ...collectFrom(announcements),
  ...collectFrom(newsroom),
  ...collectFrom(reads),
  ...collectFrom(newsletter),
  ...collectFrom(search),
  ...collectFrom(signatures),
  ...collectFrom(orders),
  ...collectFrom(orderDesk),
  ...collectFrom(chainPayments),
  ...collectFrom(consoleOrders),
  ...collectFrom(orderTotals),
  ...collectFrom(importPayments),
  ...collectFrom(statements),
  ...collectFrom(withdrawals),
  ...collectFrom(consoleWithdrawals),
  ...collectFrom(deliveries),
  ...collectFrom(consoleDeliveries),
  ...collectFrom(payoutTransfers),
  ...collectFrom(payouts),
  ...collectFrom(memberHome),
  ...collectFrom(orderChanges),
  ...collectFrom(sale),
  ...collectFrom(publicSale),
  ...collectFrom(saleProposals),
  ...collectFrom(saleRounds),
  ...collectFrom(settings),
  ...collectFrom(fourEyes),
  ...collectFrom(kyc),
  ...collectFrom(kycHandoff),
  ...collectFrom(kycReview),
  ...collectFrom(kycExport),
  ...collectFrom(consoleHome),
  ...collectFrom(consoleSetup),
  ...collectFrom(consoleViews),
  ...collectFrom(consoleRecord),
  ...collectFrom(consoleHealth),
  ...collectFrom(maintenance),
  ...collectFrom(consoleContent),
  ...collectFrom(contentShapes),
  ...collectFrom(contentVersions),
  ...collectFrom(consoleContentFiles),
  ...collectFrom(apiTokens),
  ...collectFrom(official),
  ...collectFrom(consoleOfficial),
}

export type Api = typeof api
export type EndpointName = keyof Api
