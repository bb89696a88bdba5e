import { siteLanguages, type Language } from '#contract/platform/languages.ts'
import type { Config } from './config/config.ts'

const linkTo = (config: Config, path: string) => new URL(path, config.publicUrl).href

export const signInLink = (config: Config): string => linkTo(config, '/login/signin')
export const resetRequestLink = (config: Config): string => linkTo(config, '/login/reset')
export const kycLink = (config: Config): string => linkTo(config, '/kyc')
export const ordersLink = (config: Config): string => linkTo(config, '/account/account-details')
export const accountLink = (config: Config): string => linkTo(config, '/account/user-info')
export const accountPasswordLink = (config: Config): string =>
  linkTo(config, '/account/security#change-password')
export const ambassadorLink = (config: Config): string => linkTo(config, '/account/ambassador')
export const ambassadorProgramLink = (config: Config): string => linkTo(config, '/ambassador-program#apply')
export const ambassadorPageLink = (config: Config, slug: string): string =>
  linkTo(config, `/ambassadors/${encodeURIComponent(slug)}`)
export const consoleLink = (config: Config): string => linkTo(config, '/console')
export const tokensLink = (config: Config): string => linkTo(config, '/console/api-tokens')
export const contentLink = (config: Config): string => linkTo(config, '/console/content')
export const officialConsoleLink = (config: Config): string => linkTo(config, '/console/official')
export const healthLink = (config: Config): string => linkTo(config, '/console/health')
export const saleLink = (config: Config): string => linkTo(config, '/console/sale')
/**
 * Link to the sale settings; or, for an administrator without access to them, to the audit log, which shows what was
 * changed and proposed.
 */
export const saleOrRecordLink = (config: Config, reader: { manage_coins: number }): string =>
  reader.manage_coins >= 1 ? saleLink(config) : linkTo(config, '/console/record?kind=sale')
export const invitationsLink = (config: Config): string => linkTo(config, '/console/members/invitations')
export const consoleMemberLink = (config: Config, id: string): string =>
  linkTo(config, `/console/members/${encodeURIComponent(id)}`)
export const caseLink = (config: Config, id: string): string =>
  linkTo(config, `/console/identity?case=${encodeURIComponent(id)}`)
export const refusedBeforeLink = (config: Config): string =>
  linkTo(config, '/console/identity?status=approved&flag=refused_before')
export const webhookLink = (config: Config, id: string): string =>
  linkTo(config, `/console/webhooks/${encodeURIComponent(id)}`)
export const orderLink = (config: Config, id: string): string =>
  linkTo(config, `/account/account-details?order=${encodeURIComponent(id)}`)

export const consoleOrderLink = (config: Config, id: string): string =>
  linkTo(config, `/console/orders/${encodeURIComponent(id)}`)

export const payoutLink = (config: Config, id: string): string =>
  linkTo(config, `/console/payouts/${encodeURIComponent(id)}`)

/** Link to the transfers of the treasury that prove no delivery. */
export const transfersLink = (config: Config): string => linkTo(config, '/console/payouts#transfers')

/** Link to the console's orders with one flag. */
export const flaggedOrdersLink = (config: Config, flag: string): string =>
  linkTo(config, `/console/orders?flag=${encodeURIComponent(flag)}`)

/** Link to the page where a new code can be requested. */
export const activationPageLink = (config: Config, email: string): string =>
  linkTo(config, `/login/activate?email=${encodeURIComponent(email)}`)

export const activationLink = (config: Config, email: string, code: string): string =>
  linkTo(config, `/login/activate?email=${encodeURIComponent(email)}&code=${encodeURIComponent(code)}`)

export const ambassadorStatusLink = (config: Config, code: string): string =>
  linkTo(config, `/ambassador-program/status/${encodeURIComponent(code)}`)

export const stopLostFactorLink = (config: Config, id: string, code: string): string =>
  linkTo(config, `/login/stop/${encodeURIComponent(id)}/${encodeURIComponent(code)}`)

export const emailChangeLink = (
  config: Config,
  step: 'confirm' | 'stop',
  memberId: string,
  code: string,
): string =>
  linkTo(config, `/login/email/${step}/${encodeURIComponent(memberId)}/${encodeURIComponent(code)}`)

export const resetLink = (config: Config, memberId: string, code: string): string =>
  linkTo(config, `/login/change-password/${encodeURIComponent(memberId)}/${encodeURIComponent(code)}`)

/**
 * Opens even if someone is signed in: for people who don't replace a password but choose the one that their account
 * needs.
 */
export const choosePasswordLink = (config: Config, memberId: string, code: string): string =>
  linkTo(config, `/login/choose-password/${encodeURIComponent(memberId)}/${encodeURIComponent(code)}`)

/** Link to the channel verification page. */
export const officialLink = (config: Config, language: Language): string =>
  linkTo(config, `${siteLanguages[language]?.prefix ?? ''}/official`)

/** Link to a post in the language of the post. */
export const postLink = (config: Config, language: Language, slug: string): string =>
  linkTo(config, `${siteLanguages[language]?.prefix ?? ''}/news/${encodeURIComponent(slug)}`)
export const newsLink = (config: Config, language: Language): string =>
  linkTo(config, `${siteLanguages[language]?.prefix ?? ''}/news`)

/** The code is in the fragment, which is never sent to a server, so that programs that follow links confirm nothing. */
export const confirmNewsLink = (config: Config, code: string): string =>
  linkTo(config, `/newsletter/confirm#${encodeURIComponent(code)}`)
export const manageNewsLink = (config: Config, token: string): string =>
  linkTo(config, `/newsletter/manage#${encodeURIComponent(token)}`)
/** The code is in the query, so that the page’s form also works without JavaScript. */
export const confirmContactLink = (config: Config, code: string): string =>
  linkTo(config, `/contact?code=${encodeURIComponent(code)}`)
export const answerContactLink = (config: Config, code: string): string =>
  linkTo(config, `/contact?answer=${encodeURIComponent(code)}`)
export const contactLink = (config: Config): string => linkTo(config, '/contact')
export const messagesLink = (config: Config): string => linkTo(config, '/account/messages')
export const newsPageLink = (config: Config): string => linkTo(config, '/newsletter')
/** The code is in the query, so that the page’s form also works without JavaScript. */
export const confirmReminderLink = (config: Config, language: Language, code: string): string =>
  linkTo(config, `${siteLanguages[language]?.prefix ?? ''}/sale/reminder?code=${encodeURIComponent(code)}`)
export const cancelReminderLink = (config: Config, language: Language, code: string): string =>
  linkTo(config, `${siteLanguages[language]?.prefix ?? ''}/sale/reminder?cancel=${encodeURIComponent(code)}`)
export const publicSaleLink = (config: Config, language: Language): string =>
  linkTo(config, `${siteLanguages[language]?.prefix ?? ''}/sale`)
