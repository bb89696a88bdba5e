import type { Config } from '../platform/config/config.ts'
import type { Keys } from '../platform/keys.ts'

/**
 * The names of settings that must be equal on all instances; null for those of a single instance or derived
 * ones.
 */
const names: Readonly<Record<keyof Config, string | null>> = {
  token: 'TOKEN_CONTRACT, TOKEN_DECIMALS, TOKEN_EXPLORER, TOKEN_NETWORK',
  deliveryCoolingTime: 'DELIVERY_COOLING_HOURS',
  isProduction: 'NODE_ENV',
  isLocal: null,
  host: null,
  port: null,
  publicUrl: 'PUBLIC_URL',
  dataDir: null,
  // Each instance may use its own address of the same database.
  databaseUrl: null,
  databaseDirectUrl: null,
  databaseReplicaUrl: null,
  replicaLagMax: null,
  // Depends on the size of the machine.
  poolLimits: null,
  // An embedded database serves one instance.
  acceptsEmbedded: null,
  preparesStatements: 'DATABASE_PREPARE',
  smtpUrl: 'SMTP_URL',
  mailFrom: 'MAIL_FROM',
  bounceAddress: 'BOUNCE_ADDRESS',
  mailEvents: 'MAIL_EVENTS_POSTMARK_SECRET, MAIL_EVENTS_SENDGRID_KEY, MAIL_EVENTS_SES_TOPIC',
  storageUrl: 'STORAGE_URL',
  // Used by commands, which run on one machine.
  backupTo: null,
  backupRecipient: null,
  backupIdentity: null,
  backupKeep: null,
  backupSchedule: 'BACKUP_EVERY_HOURS, BACKUP_HOUR',
  // A wrong one is refused at startup.
  encryptionKey: null,
  nextEncryptionKey: null,
  appId: 'APP_ID',
  adminEmails: 'ADMIN_EMAILS',
  isDemo: 'DEMO',
  hasDemoWorld: null,
  isStaffSecondFactorRequired: 'STAFF_SECOND_FACTOR',
  trustProxy: 'TRUST_PROXY',
  strictTransport: 'HSTS_DAYS, HSTS_SCOPE',
  logLevel: null,
  metricsToken: 'METRICS_TOKEN',
  tracing: null,
  passwordLengthMin: 'PASSWORD_MIN_LENGTH',
  countsReads: 'COUNT_READS',
  hasOfflinePage: 'OFFLINE_PAGE',
  asksProofOfWork: 'PROOF_OF_WORK',
  newsletterPerMinute: 'NEWSLETTER_PER_MINUTE',
  digestTime: 'NEWSLETTER_DIGEST_DAY, NEWSLETTER_DIGEST_HOUR, NEWSLETTER_TIME_ZONE',
  isFourEyesRequired: 'KYC_FOUR_EYES',
  isSaleFourEyesRequired: 'SALE_FOUR_EYES',
  rateChangePercent: 'SALE_RATE_CHANGE_PERCENT',
  contentFourEyes: 'CONTENT_TWO_PERSONS',
  screeningList: 'SCREENING_LIST',
  screeningListAge: 'SCREENING_LIST_DAYS',
  kycAgeMin: 'KYC_MIN_AGE',
  kycRetention: 'KYC_RETENTION_DAYS',
  kycValidity: 'KYC_VALID_DAYS',
  messageAttachmentRetention: 'MESSAGE_ATTACHMENT_DAYS',
  contactRetention: 'CONTACT_DAYS',
  ambassadorRetention: 'AMBASSADOR_DECLINED_DAYS',
  ambassadorPatience: 'AMBASSADOR_UNANSWERED_DAYS',
  orderPayTime: 'ORDER_PAY_HOURS',
  ambassadorPoints: 'AMBASSADOR_POINTS',
  webhookPrivateHosts: 'WEBHOOK_PRIVATE_HOSTS',
  twoPersonsFrom: 'ORDER_TWO_PERSONS_FROM',
  orderTolerance: 'ORDER_TOLERANCE_PERCENT',
  chains: 'CHAIN_…',
  // Each instance may use its own node.
  chainUrls: null,
  completesPaidOrders: 'CHAIN_COMPLETE',
  chainPollInterval: null,
  explorers: null,
  withdrawals: 'WITHDRAWAL_DAYS, WITHDRAWAL_TIME_ZONE, TRADED_SINCE',
}

export type SettingHashes = Record<string, string>

/** Keyed hashes, so that nobody who reads the database can guess values. */
export function hashSettings(config: Config, keys: Pick<Keys, 'blind'>): SettingHashes {
  const hashes: SettingHashes = {}
  for (const [field, name] of Object.entries(names))
    if (name !== null)
      hashes[name] = keys.blind(`setting ${name} ${textOf(config[field as keyof Config])}`).slice(0, 16)
  return hashes
}

const textOf = (value: unknown): string =>
  value instanceof Set
    ? JSON.stringify([...(value as Set<string>)].toSorted())
    : (JSON.stringify(value) ?? '')

/**
 * The settings that differ between instances. Other releases may know other settings, so only common ones are
 * compared.
 */
export function findDifferences(instances: readonly SettingHashes[]): string[] {
  const all = new Set(instances.flatMap((each) => Object.keys(each)))
  const differs = (name: string) => new Set(instances.flatMap((each) => each[name] ?? [])).size > 1
  return [...all].filter(differs).toSorted()
}
