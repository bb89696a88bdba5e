import type { InvitationCause } from '#contract/ambassador-results.ts'
import { resolve } from 'node:path'
import { sensitiveKinds, type SensitiveKind } from '#contract/console-content.ts'
import { appIdPattern, defaultAppId } from '#contract/apps.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { emailPattern, passwordLengthMax, passwordLengthMin } from '#contract/fields.ts'
import { readPoolLimits, type PoolLimits } from './pool-limits.ts'
import { isLoopbackName } from './is-loopback-name.ts'
import { readAmbassadorPoints } from './environment/read-ambassador-points.ts'
import { readHosts } from './environment/read-hosts.ts'
import { readKey } from './environment/read-key.ts'
import { readRecipient } from './environment/read-recipient.ts'
import { readTrustProxy } from './environment/read-trust-proxy.ts'
import { readWithdrawals, type WithdrawalTerms } from './environment/read-withdrawals.ts'
import { readSettingsOf, type Environment, type SettingReader } from './environment/setting-reader.ts'
import type { Sentence } from './sentence.ts'
import { remarkOnNames } from './environment/stray-names.ts'
import { strictTransportOf, strictTransportScopes } from './strict-transport.ts'
import { readChains, type Chains } from './read-chains.ts'
import { readNewsletter, type NewsletterSettings } from './read-newsletter.ts'
import { readTracing, type Tracing } from './read-tracing.ts'

export type Config = Chains &
  NewsletterSettings & {
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
    /** Whether connections use named prepared statements. */
    preparesStatements: boolean
    poolLimits: PoolLimits
    /** Undefined: emails stay in the outbox, readable at /dev/inbox on a developer's own machine. */
    smtpUrl: string | undefined
    mailFrom: string
    /** Return address of undeliverable emails, unique for each email. Undefined: the sender’s. */
    bounceAddress: string | undefined
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
    /** How long after a decision a declined ambassador application is erased, in milliseconds. */
    ambassadorRetention: number
    /**
     * How long an ambassador application can stay unanswered, in milliseconds. After that it is erased and its sender
     * notified.
     */
    ambassadorPatience: number
    /** How long after it was placed an unpaid order is canceled, in milliseconds. */
    orderPayTime: number
    /** Points that an ambassador earns for the results of an invitation. */
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

export type AmbassadorPoints = Record<InvitationCause, number>

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
  const { given, refuse, wholeNumber, oneOf, onOrOff, url, databaseAddress, amountOrOff, percent } = settings
  const port = wholeNumber('PORT', 3000, 0, 65535)
  const databaseUrl = databaseAddress('DATABASE_URL')
  const databaseDirectUrl = databaseAddress('DATABASE_DIRECT_URL')
  if (databaseDirectUrl && !databaseUrl) refuse('DATABASE_DIRECT_URL', 'can be set only with DATABASE_URL')
  const smtpUrl = url('SMTP_URL', ['smtp', 'smtps'])
  const storageUrl = url('STORAGE_URL', ['s3', 'http', 'https'])
  const publicUrl = new URL(url('PUBLIC_URL', ['http', 'https']) ?? `http://localhost:${port}`)
  if (publicUrl.pathname !== '/' || publicUrl.search || publicUrl.hash || publicUrl.username)
    refuse(
      'PUBLIC_URL',
      'must be an address such as https://coin.example, with nothing after the host and port',
    )
  const isLocal = isLoopbackName(publicUrl.hostname)
  const isProduction =
    oneOf(
      'NODE_ENV',
      ['production', 'development'],
      databaseUrl || !isLocal || publicUrl.protocol === 'https:' ? 'production' : 'development',
    ) === 'production'
  const adminEmails = (given('ADMIN_EMAILS') ?? '')
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter(Boolean)
  const wrongEmail = adminEmails.find((email) => !emailPattern.test(email))
  if (wrongEmail) refuse('ADMIN_EMAILS', 'must be email addresses separated by commas')

  const isNothingConfigured = ![
    'DATABASE_URL',
    'SMTP_URL',
    'STORAGE_URL',
    'ADMIN_EMAILS',
    'PUBLIC_URL',
    'ENCRYPTION_KEY',
  ].some(given)
  const isDemo = oneOf('DEMO', ['on', 'off'], isNothingConfigured && !isProduction ? 'on' : 'off') === 'on'
  const nextEncryptionKey = readKey(given('NEXT_ENCRYPTION_KEY'), (demand) =>
    refuse('NEXT_ENCRYPTION_KEY', demand),
  )
  const encryptionKey = readKey(given('ENCRYPTION_KEY'), (demand) => refuse('ENCRYPTION_KEY', demand), {
    // A weak key is accepted while it is being replaced.
    mayBeWeak: nextEncryptionKey !== undefined,
  })
  // If production is only assumed, an installation's existing key file still counts.
  if (given('NODE_ENV') === 'production' && databaseUrl && !encryptionKey)
    refuse(
      'ENCRYPTION_KEY',
      'must be set in production with DATABASE_URL: 32 random bytes in base64 or hexadecimal',
    )
  const backupTo = given('BACKUP_TO')
  if (backupTo && backupTo === storageUrl)
    refuse('BACKUP_TO', 'must be a different place from STORAGE_URL, so that both can’t be lost together')
  const appId = given('APP_ID') ?? defaultAppId
  if (!appIdPattern.test(appId)) refuse('APP_ID', 'must be 24 lowercase hexadecimal characters')
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

  return {
    isProduction,
    isLocal,
    host: given('HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    dataDir: resolve(given('DATA_DIR') ?? './data'),
    databaseUrl,
    acceptsEmbedded:
      oneOf('EMBEDDED_DATABASE', ['refuse', 'accept the risk'], 'refuse') === 'accept the risk',
    databaseDirectUrl,
    preparesStatements: oneOf('DATABASE_PREPARE', ['on', 'off'], 'on') === 'on',
    poolLimits: readPoolLimits(wholeNumber),
    smtpUrl,
    mailFrom,
    bounceAddress,
    storageUrl,
    backupTo,
    backupRecipient: readRecipient(given('BACKUP_RECIPIENT'), refuse),
    backupIdentity: given('BACKUP_IDENTITY'),
    backupKeep: wholeNumber('BACKUP_KEEP_DAYS', 30, 1, 36_500) * DAY,
    encryptionKey,
    nextEncryptionKey,
    appId,
    adminEmails: new Set(adminEmails),
    isDemo,
    hasDemoWorld: oneOf('DEMO_WORLD', ['on', 'off'], 'on') === 'on',
    isStaffSecondFactorRequired:
      oneOf(
        'STAFF_SECOND_FACTOR',
        ['required', 'optional'],
        isDemo && !isProduction ? 'optional' : 'required',
      ) === 'required',
    trustProxy: readTrustProxy(given('TRUST_PROXY'), (demand) => refuse('TRUST_PROXY', demand)),
    strictTransport: strictTransportOf(
      wholeNumber('HSTS_DAYS', 365, 0, 3650),
      oneOf('HSTS_SCOPE', strictTransportScopes, 'host'),
      (demand) => refuse('HSTS_DAYS', demand),
    ),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    metricsToken: given('METRICS_TOKEN'),
    tracing: readTracing(url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']), given, refuse),
    asksProofOfWork: oneOf('PROOF_OF_WORK', ['on', 'off'], 'on') === 'on',
    isFourEyesRequired: onOrOff('KYC_FOUR_EYES'),
    isSaleFourEyesRequired: onOrOff('SALE_FOUR_EYES'),
    rateChangePercent: wholeNumber('SALE_RATE_CHANGE_PERCENT', 20, 0, 1000),
    contentFourEyes: readFourEyesThreshold(given('CONTENT_TWO_PERSONS'), (demand) =>
      refuse('CONTENT_TWO_PERSONS', demand),
    ),
    screeningList: given('SCREENING_LIST'),
    screeningListAge: wholeNumber('SCREENING_LIST_DAYS', 30, 1, 36_500) * DAY,
    kycAgeMin: wholeNumber('KYC_MIN_AGE', 18, 0, 100),
    kycRetention: wholeNumber('KYC_RETENTION_DAYS', 1826, 1, 36_500) * DAY,
    kycValidity: wholeNumber('KYC_VALID_DAYS', 730, 0, 36_500) * DAY || null,
    ambassadorRetention: wholeNumber('AMBASSADOR_DECLINED_DAYS', 180, 1, 3650) * DAY,
    ambassadorPatience: wholeNumber('AMBASSADOR_UNANSWERED_DAYS', 365, 30, 3650) * DAY,
    orderPayTime: wholeNumber('ORDER_PAY_HOURS', 24, 1, 8760) * HOUR,
    webhookPrivateHosts: readHosts('WEBHOOK_PRIVATE_HOSTS', given, refuse),
    twoPersonsFrom: amountOrOff('ORDER_TWO_PERSONS_FROM'),
    orderTolerance: percent('ORDER_TOLERANCE_PERCENT', '1'),
    ...readChains(settings),
    ...readNewsletter(settings),
    withdrawals: readWithdrawals({ given, refuse, wholeNumber }, isDemo),
    ambassadorPoints: readAmbassadorPoints(given('AMBASSADOR_POINTS'), (demand) =>
      refuse('AMBASSADOR_POINTS', demand),
    ),
    passwordLengthMin: wholeNumber(
      'PASSWORD_MIN_LENGTH',
      passwordLengthMin,
      passwordLengthMin,
      passwordLengthMax / 4,
    ),
  }
}

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
