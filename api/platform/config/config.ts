import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { sensitiveKinds, type SensitiveKind } from '#contract/publishing/console-content.ts'
import { appIdPattern, defaultAppId } from '#contract/people/apps.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { emailPattern, passwordLengthMax, passwordLengthMin } from '#contract/platform/fields.ts'
import type { DigestTime } from '#contract/publishing/newsletter.ts'
import { readPoolLimits, type PoolLimits } from './pool-limits.ts'
import { readAmbassadors, type AmbassadorPoints } from './read-ambassadors.ts'
import { readKeys } from './read-keys.ts'
import { readMailEvents, type MailEventSettings } from './read-mail-events.ts'
import { readSite } from './read-site.ts'
import { readStorage, type BackupSchedule } from './read-storage.ts'
import { readWithdrawals, type WithdrawalTerms } from './read-withdrawals.ts'
import { readSettingsOf, type Environment, type SettingReader } from './setting-reader.ts'
import type { Sentence } from '../text/sentence.ts'
import { remarkOnNames } from './stray-names.ts'
import { readChains, type Chains } from './read-chains.ts'
import { readToken, type TokenSetting } from './read-token.ts'
import { readTracing, type Tracing } from './read-tracing.ts'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

type NewsletterSettings = {
  /** Number of newsletter emails sent per minute, over all instances. */
  newsletterPerMinute: number
  /** Weekday and time at which the weekly digest is sent. */
  digestTime: DigestTime
}

const readNewsletter = ({ given, refuse, wholeNumber, oneOf }: SettingReader): NewsletterSettings => ({
  newsletterPerMinute: wholeNumber('NEWSLETTER_PER_MINUTE', 600, 1, 60_000),
  digestTime: {
    day: 1 + weekdays.indexOf(oneOf('NEWSLETTER_DIGEST_DAY', weekdays, 'monday')),
    hour: wholeNumber('NEWSLETTER_DIGEST_HOUR', 9, 0, 23),
    zone: readZone(given('NEWSLETTER_TIME_ZONE') ?? 'UTC', () =>
      refuse(
        'NEWSLETTER_TIME_ZONE',
        'must be the name of a time zone such as Europe/Zurich or Asia/Shanghai',
      ),
    ),
  },
})

function readZone(zone: string, refuse: () => never): string {
  // Only time zone names are accepted: PostgreSQL and JavaScript interpret the sign of an offset differently.
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return refuse()
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return refuse()
  }
}

export type Config = Chains &
  NewsletterSettings & {
    /** What payouts need to know about the token. */
    token: TokenSetting
    /** How long nothing is sent to a changed token address, in milliseconds. */
    deliveryCoolingTime: number
    /** Set by NODE_ENV; otherwise assumed as soon as anyone else could reach the installation or its data. */
    isProduction: boolean
    /** Whether the site's only address belongs to this machine. */
    isLocal: boolean
    host: string
    port: number
    publicUrl: URL
    dataDir: string
    /** Undefined: the embedded server in `dataDir`. */
    databaseUrl: string | undefined
    /** Whether the operator explicitly accepted running production on the embedded database. */
    acceptsEmbedded: boolean
    /**
     * Direct address that bypasses a pooler, if there is one; otherwise the same. Used for notifications, upgrades, and
     * backups.
     */
    databaseDirectUrl: string | undefined
    /** A replica of the same database, for public pages and console lists. */
    databaseReplicaUrl: string | undefined
    /** How long a read waits until the replica has caught up, in milliseconds. Then the primary is read. */
    replicaLagMax: number
    /** Whether connections use named prepared statements. */
    preparesStatements: boolean
    poolLimits: PoolLimits
    /** Undefined: emails stay in the outbox, readable at /dev/inbox on a developer's own machine. */
    smtpUrl: string | undefined
    mailFrom: string
    /** Return address of undeliverable emails, unique for each email. Undefined: the sender’s. */
    bounceAddress: string | undefined
    mailEvents: MailEventSettings
    /** Undefined: files are stored in `dataDir/files`. */
    storageUrl: string | undefined
    /** A directory or a bucket. */
    backupTo: string | undefined
    /** Public half of the key that encrypts backups. */
    backupRecipient: string | undefined
    /** Secret half of that key, or the file that contains it: only for restoring or verifying backups. */
    backupIdentity: string | undefined
    /** How long a backup is kept, in milliseconds; the newest one is always kept. */
    backupKeep: number
    /** When the product makes backups by itself; undefined: never. */
    backupSchedule: BackupSchedule | undefined
    /** 32 bytes. Undefined: generated in `dataDir/keys`. */
    encryptionKey: Buffer | undefined
    /** The next master key, set only during rotation. */
    nextEncryptionKey: Buffer | undefined
    appId: string
    adminEmails: ReadonlySet<string>
    isDemo: boolean
    /** Whether a demo starts with sample members and their activity. */
    hasDemoWorld: boolean
    isStaffSecondFactorRequired: boolean
    /** Value for Fastify's `trustProxy`: false, or addresses and networks whose X-Forwarded-For is trusted. */
    trustProxy: false | string
    /** Value of Strict-Transport-Security for an https site. */
    strictTransport: string
    logLevel: (typeof logLevels)[number]
    metricsToken: string | undefined
    /** Where traces are sent; undefined: no traces. */
    tracing: Tracing | undefined
    passwordLengthMin: number
    /** Whether reads of pages, posts, and documents are counted. */
    countsReads: boolean
    /** Whether browsers store an offline page. */
    hasOfflinePage: boolean
    /** Whether clients that send many requests must solve a proof of work. */
    asksProofOfWork: boolean
    // If undefined, each of these four depends on how many people can approve: `four-eyes/read-policy.ts` resolves
    // them.
    /** Whether a final rejection needs four-eyes approval. */
    isFourEyesRequired: boolean | undefined
    /** Whether changing a receiving address or rate needs four-eyes approval. */
    isSaleFourEyesRequired: boolean | undefined
    /** A rate that changes by more than this percentage must be typed again to confirm. */
    rateChangePercent: number
    /** Kinds of content whose changes need four-eyes approval. */
    contentFourEyes: ReadonlySet<SensitiveKind> | undefined
    /** CSV file of names, with dates of birth where known, that applicants are screened against. */
    screeningList: string | undefined
    /** Age after which a screening list counts as out of date, in milliseconds. */
    screeningListAge: number
    /** Minimum age of an applicant, in years. */
    kycAgeMin: number
    /** How long after its decision the documents of an approved application are destroyed, in milliseconds. */
    kycRetention: number
    /** How long an approval is valid, in milliseconds; null: indefinitely. */
    kycValidity: number | null
    /** How long attachments of messages are kept, in milliseconds. */
    messageAttachmentRetention: number
    /** How long after the last message a conversation with a visitor is kept, in milliseconds. */
    contactRetention: number
    /** How long after a decision a declined ambassador application is erased, in milliseconds. */
    ambassadorRetention: number
    /**
     * How long an ambassador application can stay unanswered, in milliseconds. After that it is erased and its sender
     * notified.
     */
    ambassadorPatience: number
    /** How long after it was placed an unpaid order is canceled, in milliseconds. */
    orderPayTime: number
    ambassadorPoints: AmbassadorPoints
    /** Names and addresses in the operator’s own network that webhooks may be sent to. */
    webhookPrivateHosts: ReadonlySet<string>
    /**
     * Quantity in tokens from which completing an order needs two finance officers; null: one is always enough.
     * Undefined: see the three above.
     */
    twoPersonsFrom: string | null | undefined
    /** Percentage by which a received amount may differ from the amount due without a reason. */
    orderTolerance: string
    /** Terms of the right of withdrawal from an order. */
    withdrawals: WithdrawalTerms
  }

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** Whether this is production, known even before the settings are read or if they are invalid. */
export const isProductionIn = (environment: Environment): boolean =>
  environment['NODE_ENV'] === 'production' ||
  (environment['NODE_ENV'] !== 'development' &&
    Boolean(environment['DATABASE_URL'] ?? environment['DATABASE_URL_FILE']))

/**
 * Reads the settings. No other code reads the environment. An invalid setting is rejected with one sentence that names
 * it.
 */
export const readConfig = (environment: Environment): Config => readConfigAndRemarks(environment).config

/**
 * Reads the settings. `remarks` are sentences about likely mistakes, such as a name that resembles a setting. `known`
 * contains every name that was looked up.
 */
export function readConfigAndRemarks(environment: Environment): {
  config: Config
  remarks: Sentence[]
  known: ReadonlySet<string>
} {
  const settings = readSettingsOf(environment)
  const config = read(settings)
  const { known } = settings
  return { config, remarks: remarkOnNames(environment, known), known }
}

function read(settings: SettingReader): Config {
  const { given, refuse, wholeNumber, oneOf, onOrOff, url, amountOrOff, percent } = settings
  const database = readDatabase(settings)
  const site = readSite(settings, database)
  const { isProduction, publicUrl } = site
  const isDemo = readIsDemo(settings, isProduction)
  const appId = given('APP_ID') ?? defaultAppId
  const chains = readChains(settings)
  if (!appIdPattern.test(appId)) refuse('APP_ID', 'must be 24 lowercase hexadecimal characters')
  return {
    ...site,
    ...database,
    dataDir: resolve(given('DATA_DIR') ?? './data'),
    ...readMail(settings, publicUrl),
    mailEvents: readMailEvents(settings),
    ...readStorage(settings),
    ...readKeys(settings, database),
    appId,
    adminEmails: readAdminEmails(settings),
    isDemo,
    hasDemoWorld: oneOf('DEMO_WORLD', ['on', 'off'], 'on') === 'on',
    isStaffSecondFactorRequired:
      oneOf(
        'STAFF_SECOND_FACTOR',
        ['required', 'optional'],
        isDemo && !isProduction ? 'optional' : 'required',
      ) === 'required',
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    metricsToken: given('METRICS_TOKEN'),
    tracing: readTracing(url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']), given, refuse),
    countsReads: oneOf('COUNT_READS', ['on', 'off'], 'on') === 'on',
    hasOfflinePage: oneOf('OFFLINE_PAGE', ['on', 'off'], 'on') === 'on',
    asksProofOfWork: oneOf('PROOF_OF_WORK', ['on', 'off'], 'on') === 'on',
    isSaleFourEyesRequired: onOrOff('SALE_FOUR_EYES'),
    rateChangePercent: wholeNumber('SALE_RATE_CHANGE_PERCENT', 20, 0, 1000),
    contentFourEyes: readFourEyesThreshold(given('CONTENT_TWO_PERSONS'), (demand) =>
      refuse('CONTENT_TWO_PERSONS', demand),
    ),
    ...readKyc(settings),
    ...readMessages(settings),
    ...readAmbassadors(settings),
    orderPayTime: wholeNumber('ORDER_PAY_HOURS', 24, 1, 8760) * HOUR,
    webhookPrivateHosts: readHosts('WEBHOOK_PRIVATE_HOSTS', given, refuse),
    twoPersonsFrom: amountOrOff('ORDER_TWO_PERSONS_FROM'),
    orderTolerance: percent('ORDER_TOLERANCE_PERCENT', '1'),
    ...chains,
    ...readToken(settings, undefined, chains),
    deliveryCoolingTime: wholeNumber('DELIVERY_COOLING_HOURS', 48, 0, 720) * HOUR,
    ...readNewsletter(settings),
    withdrawals: readWithdrawals(settings, isDemo),
    passwordLengthMin: wholeNumber(
      'PASSWORD_MIN_LENGTH',
      passwordLengthMin,
      passwordLengthMin,
      passwordLengthMax / 4,
    ),
  }
}

function readDatabase({ refuse, wholeNumber, oneOf, databaseAddress }: SettingReader) {
  const databaseUrl = databaseAddress('DATABASE_URL')
  const databaseDirectUrl = databaseAddress('DATABASE_DIRECT_URL')
  if (databaseDirectUrl && !databaseUrl) refuse('DATABASE_DIRECT_URL', 'can be set only with DATABASE_URL')
  const databaseReplicaUrl = databaseAddress('DATABASE_REPLICA_URL')
  if (databaseReplicaUrl && !databaseUrl) refuse('DATABASE_REPLICA_URL', 'can be set only with DATABASE_URL')
  return {
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrl,
    replicaLagMax: wholeNumber('DATABASE_REPLICA_LAG_MAX_MS', 100, 1, 10_000),
    acceptsEmbedded:
      oneOf('EMBEDDED_DATABASE', ['refuse', 'accept the risk'], 'refuse') === 'accept the risk',
    preparesStatements: oneOf('DATABASE_PREPARE', ['on', 'off'], 'on') === 'on',
    poolLimits: readPoolLimits(wholeNumber),
  }
}

/** A demo runs by default if nothing is configured. */
function readIsDemo({ given, oneOf }: SettingReader, isProduction: boolean): boolean {
  const isNothingConfigured = ![
    'DATABASE_URL',
    'SMTP_URL',
    'STORAGE_URL',
    'ADMIN_EMAILS',
    'PUBLIC_URL',
    'ENCRYPTION_KEY',
  ].some(given)
  return oneOf('DEMO', ['on', 'off'], isNothingConfigured && !isProduction ? 'on' : 'off') === 'on'
}

function readAdminEmails({ given, refuse }: SettingReader): ReadonlySet<string> {
  const emails = (given('ADMIN_EMAILS') ?? '')
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter(Boolean)
  const wrongEmail = emails.find((email) => !emailPattern.test(email))
  if (wrongEmail) refuse('ADMIN_EMAILS', 'must be email addresses separated by commas')
  return new Set(emails)
}

function readMail({ given, refuse, url }: SettingReader, publicUrl: URL) {
  const smtpUrl = url('SMTP_URL', ['smtp', 'smtps'])
  const mailFrom = given('MAIL_FROM') ?? `no-reply@${publicUrl.hostname}`
  if (/[\r\n]/.test(mailFrom) || !mailFrom.includes('@'))
    refuse('MAIL_FROM', 'must be one email address, with or without a name')
  const bounceAddress = given('BOUNCE_ADDRESS')
  // Leaves room for the token: `bounces+TOKEN@…` may have at most 64 characters before the @ (RFC 5321).
  if (bounceAddress && !(emailPattern.test(bounceAddress) && /^[\w.-]{1,15}@/.test(bounceAddress)))
    refuse(
      'BOUNCE_ADDRESS',
      'must be one email address with at most 15 letters, digits, periods, and hyphens before the @',
    )
  return { smtpUrl, mailFrom, bounceAddress }
}

const readMessages = ({ wholeNumber }: SettingReader) => ({
  messageAttachmentRetention: wholeNumber('MESSAGE_ATTACHMENT_DAYS', 180, 1, 3650) * DAY,
  contactRetention: wholeNumber('CONTACT_DAYS', 365, 1, 3650) * DAY,
})

const readKyc = ({ given, wholeNumber, onOrOff }: SettingReader) => ({
  isFourEyesRequired: onOrOff('KYC_FOUR_EYES'),
  screeningList: given('SCREENING_LIST'),
  screeningListAge: wholeNumber('SCREENING_LIST_DAYS', 30, 1, 36_500) * DAY,
  kycAgeMin: wholeNumber('KYC_MIN_AGE', 18, 0, 100),
  kycRetention: wholeNumber('KYC_RETENTION_DAYS', 1826, 1, 36_500) * DAY,
  kycValidity: wholeNumber('KYC_VALID_DAYS', 730, 0, 36_500) * DAY || null,
})

function readFourEyesThreshold(
  text: string | undefined,
  refuse: (demand: string) => never,
): ReadonlySet<SensitiveKind> | undefined {
  if (text === undefined) return undefined
  if (text === 'on') return new Set(sensitiveKinds)
  if (text === 'off' || text === 'none') return new Set()
  const named = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const isKind = (each: string): each is SensitiveKind => (sensitiveKinds as readonly string[]).includes(each)
  return named.length > 0 && named.every(isKind)
    ? new Set(named)
    : refuse(`must be on, off, or some of ${sensitiveKinds.join(', ')}, separated by commas`)
}

/** Host names and addresses as in URLs, IPv6 without brackets. */
function readHosts(
  name: string,
  given: (name: string) => string | undefined,
  refuse: (name: string, demand: string) => never,
): ReadonlySet<string> {
  const named = (given(name) ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean)
  return named.every(isHost)
    ? new Set(named)
    : refuse(name, 'must be host names or addresses, without ports, separated by commas')
}

const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const isHost = (text: string): boolean =>
  isIP(text) > 0 || (!/^[\d.]+$/.test(text) && text.split('.').every((each) => label.test(each)))
