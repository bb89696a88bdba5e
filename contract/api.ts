import * as operations from './operations.ts'
import * as content from './content.ts'
import * as whitePaper from './white-paper.ts'
import * as apps from './apps.ts'
import * as members from './members.ts'
import * as mailboxes from './mailboxes.ts'
import * as privacy from './privacy.ts'
import * as consents from './consents.ts'
import * as consoleMembers from './console-members.ts'
import * as consoleMails from './console-mails.ts'
import * as webhooks from './webhooks.ts'
import * as sessions from './sessions.ts'
import * as lostFactors from './account-recovery.ts'
import * as passkeys from './passkeys.ts'
import * as ambassadors from './ambassadors.ts'
import * as ambassadorProfiles from './ambassador-profiles.ts'
import * as ambassadorResults from './ambassador-results.ts'
import * as consoleAmbassadorProfiles from './console-ambassador-profiles.ts'
import * as consoleAmbassadors from './console-ambassadors.ts'
import * as announcements from './announcements.ts'
import * as newsroom from './newsroom.ts'
import * as newsletter from './newsletter.ts'
import * as signatures from './signatures.ts'
import * as orders from './orders.ts'
import * as orderDesk from './order-desk.ts'
import * as chainPayments from './chain-payments.ts'
import * as consoleOrders from './console-orders.ts'
import * as orderTotals from './order-totals.ts'
import * as importPayments from './import-payments.ts'
import * as statements from './statements.ts'
import * as withdrawals from './withdrawals.ts'
import * as consoleWithdrawals from './console-withdrawals.ts'
import * as sale from './sale.ts'
import * as saleProposals from './sale-proposals.ts'
import * as settings from './settings.ts'
import * as fourEyes from './four-eyes.ts'
import * as kyc from './kyc.ts'
import * as kycHandoff from './kyc-handoff.ts'
import * as kycReview from './kyc-review.ts'
import * as kycExport from './kyc-export.ts'
import * as consoleHome from './console-home.ts'
import * as consoleViews from './console-views.ts'
import * as consoleRecord from './console-audit-log.ts'
import * as consoleHealth from './console-health.ts'
import * as consoleContent from './console-content.ts'
import * as contentShapes from './content-shapes.ts'
import * as contentVersions from './content-versions.ts'
import * as consoleContentFiles from './console-content-files.ts'
import * as apiTokens from './api-tokens.ts'
import * as official from './official.ts'
import * as consoleOfficial from './console-official.ts'
import type { Endpoint } from './endpoint.ts'

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
  ...collectFrom(privacy),
  ...collectFrom(consents),
  ...collectFrom(consoleMembers),
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
  ...collectFrom(newsletter),
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
  ...collectFrom(sale),
  ...collectFrom(saleProposals),
  ...collectFrom(settings),
  ...collectFrom(fourEyes),
  ...collectFrom(kyc),
  ...collectFrom(kycHandoff),
  ...collectFrom(kycReview),
  ...collectFrom(kycExport),
  ...collectFrom(consoleHome),
  ...collectFrom(consoleViews),
  ...collectFrom(consoleRecord),
  ...collectFrom(consoleHealth),
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
