/** A setting of the environment, as listed in docs/reference/settings.md and quoted by a refused start. */
type Setting = {
  /** Names of settings that are explained together. */
  names: string[]
  default: string
  /** Markdown, with links relative to docs/reference. */
  meaning: string
  /** A valid value, shown when the given one is refused. */
  example?: string
}

const linkTo = (page: string, text: string) => `[${text}](../how-to/${page}.md)`
const guide = (page: string, text: string) => `See ${linkTo(page, text)}`

/** Every setting, by area. `<CODE>` stands for a payment method in capital letters, such as BTC. */
export const settingAreas: Record<string, Setting[]> = {
  Server: [
    {
      names: ['NODE_ENV'],
      default:
        '`production` with `DATABASE_URL`, or if `PUBLIC_URL` is HTTPS or not local; otherwise `development`',
      meaning: '`production` or `development`. To use `development` with `DATABASE_URL`, set it explicitly',
      example: 'production',
    },
    { names: ['PORT'], default: '`3000`', meaning: 'Port to listen on', example: '3000' },
    { names: ['HOST'], default: '`127.0.0.1`', meaning: 'IP address to listen on', example: '127.0.0.1' },
    {
      names: ['PUBLIC_URL'],
      default: '`http://localhost:$PORT`',
      meaning:
        'Address of the site, without a path, for links in emails, canonical links, and `Secure` cookies. Passkeys are bound to its host and stop working if it changes',
      example: 'https://www.example.org',
    },
    {
      names: ['DATA_DIR'],
      default: '`./data`',
      meaning:
        'Directory for the embedded database, files, and keys. It needs up to 768 MiB of additional space while pictures are uploaded',
      example: '/var/lib/coin',
    },
    {
      names: ['TRUST_PROXY'],
      default: 'none',
      meaning: `Addresses or networks of your proxies, or \`loopback\`. Without it, everyone behind a proxy counts as one client. ${guide('put-a-proxy-in-front', 'Put a reverse proxy in front of the product')}`,
      example: 'loopback',
    },
    {
      names: ['HSTS_DAYS'],
      default: '`365`',
      meaning:
        'Number of days for which browsers use only HTTPS, if `PUBLIC_URL` is HTTPS. `0` revokes this instruction',
      example: '365',
    },
    {
      names: ['HSTS_SCOPE'],
      default: '`host`',
      meaning:
        'What this instruction applies to: `host`, `subdomains`, or `preload` (subdomains and the list in browsers)',
      example: 'host',
    },
    {
      names: ['APP_ID'],
      default: 'a fixed public value',
      meaning: 'Public application ID: 24 hexadecimal characters',
      example: '5b9a3f7c2e8d41609fab0001',
    },
  ],
  Database: [
    {
      names: ['DATABASE_URL'],
      default: 'the embedded database, for evaluation only',
      meaning: `Address of a PostgreSQL server, version 13 or later. ${linkTo('run-on-postgresql', 'Run on PostgreSQL')} explains TLS, poolers, and several hosts`,
      example: 'postgres://coin:PASS@127.0.0.1/coin',
    },
    {
      names: ['EMBEDDED_DATABASE'],
      default: '`refuse`',
      meaning:
        '`accept the risk` lets production start without `DATABASE_URL`, on the embedded database. See [SECURITY.md](../../SECURITY.md#limits-of-the-protection)',
      example: '"accept the risk"',
    },
    {
      names: ['DATABASE_DIRECT_URL'],
      default: 'same as `DATABASE_URL`',
      meaning:
        'Address of the same database without a pooler, for notifications, migrations, dumps, and restores',
      example: 'postgres://coin:PASS@db1:5432/coin',
    },
    {
      names: ['DATABASE_REPLICA_URL'],
      default: '',
      meaning:
        'Address of a replica of the same database, from which public pages and console lists are read ([guide](../how-to/stay-available.md#read-from-a-replica))',
      example: 'postgres://coin:PASS@db2:5432/coin',
    },
    {
      names: ['DATABASE_REPLICA_LAG_MAX_MS'],
      default: '`100`',
      meaning:
        'How long a read waits until the replica has caught up, in milliseconds, before it uses the primary: 1 to 10,000',
      example: '50',
    },
    {
      names: ['DATABASE_POOL_SIZE'],
      default: '`20`',
      meaning: 'Number of database connections per instance',
      example: '20',
    },
    {
      names: ['DATABASE_CONNECT_SECONDS'],
      default: '`2`',
      meaning:
        'Seconds that a request waits for a connection. If the server has no connection left, it waits four times as long',
      example: '2',
    },
    {
      names: ['DATABASE_STATEMENT_SECONDS'],
      default: '`5`',
      meaning:
        'Statement time limit in seconds. If a statement hasn’t ended two seconds later, its connection is closed',
      example: '5',
    },
    {
      names: ['DATABASE_IDLE_SECONDS'],
      default: '`10`',
      meaning: 'Idle seconds after which a connection is closed',
      example: '10',
    },
    {
      names: ['DATABASE_PREPARE'],
      default: '`on`',
      meaning:
        'Whether statements are prepared. Use `off` for poolers without prepared statements, such as PgBouncer in transaction mode before 1.21 or with `max_prepared_statements = 0`',
      example: 'off',
    },
  ],
  'Files, keys, and backups': [
    {
      names: ['ENCRYPTION_KEY'],
      default: 'generated in `DATA_DIR/keys`',
      meaning:
        'Master key: 32 random bytes in Base64 or hexadecimal (`openssl rand -base64 32`). Guessable keys are rejected. Required in production with `DATABASE_URL`',
    },
    {
      names: ['NEXT_ENCRYPTION_KEY'],
      default: 'none',
      meaning: 'New master key, only for `npm run keys:rotate`',
    },
    {
      names: ['STORAGE_URL'],
      default: 'files in `DATA_DIR/files`',
      meaning:
        'Bucket of an S3-compatible store. Documents are encrypted before upload. The access key needs permission to get, put, delete, and list objects',
      example: 'https://KEY:SECRET@s3.example/bucket?region=auto',
    },
    {
      names: ['BACKUP_TO'],
      default: 'none',
      meaning: `Directory or bucket for backups. ${guide('back-up-and-restore', 'Back up and restore')}`,
      example: '/mnt/backup/coin',
    },
    {
      names: ['BACKUP_RECIPIENT'],
      default: 'none',
      meaning: 'Public key that encrypts backups. Despite its name, keep it private',
      example: 'age1…',
    },
    {
      names: ['BACKUP_EVERY_HOURS'],
      default: 'no backups on a schedule',
      meaning:
        'Number of hours between the backups that the product makes by itself, 1 to 168. `0` turns them off. Requires `BACKUP_TO` and `BACKUP_RECIPIENT`',
      example: '24',
    },
    {
      names: ['BACKUP_HOUR'],
      default: '`3`',
      meaning: 'Hour (UTC, 0 to 23) from which `BACKUP_EVERY_HOURS` is counted',
      example: '3',
    },
    {
      names: ['BACKUP_KEEP_DAYS'],
      default: '`30`',
      meaning: 'Number of days for which backups are kept',
      example: '30',
    },
    {
      names: ['BACKUP_IDENTITY'],
      default: 'none',
      meaning:
        'Private key that decrypts backups, or the file that contains it. Set it only to restore or verify a backup',
      example: 'coin-backup.key',
    },
  ],
  Email: [
    {
      names: ['SMTP_URL'],
      default: 'emails wait in the outbox',
      meaning: `Address of the SMTP server. Outside production with a local \`PUBLIC_URL\`, you can read emails at \`/dev/inbox\`. ${guide('send-mail', 'Send email')}`,
      example: 'smtps://USER:PASS@mail.example',
    },
    {
      names: ['MAIL_FROM'],
      default: '`no-reply@` and the host of `PUBLIC_URL`',
      meaning: 'Sender of every email',
      example: '"Coin <no-reply@coin.example>"',
    },
    {
      names: ['BOUNCE_ADDRESS'],
      default: 'the address in `MAIL_FROM`',
      meaning: 'Address to which bounce reports are sent',
      example: 'bounces@coin.example',
    },
    {
      names: ['MAIL_EVENTS_POSTMARK_SECRET'],
      default: 'Postmark’s events are refused',
      meaning: `Password with which Postmark reports bounces and complaints: 24 or more letters and digits (\`openssl rand -hex 24\`). ${guide('send-mail', 'Send email')}`,
    },
    {
      names: ['MAIL_EVENTS_SENDGRID_KEY'],
      default: 'SendGrid’s events are refused',
      meaning: 'Verification key of SendGrid’s signed Event Webhook',
    },
    {
      names: ['MAIL_EVENTS_SES_TOPIC'],
      default: 'Amazon SES’s events are refused',
      meaning: 'ARN of the Amazon SNS topic to which Amazon SES reports bounces and complaints',
      example: 'arn:aws:sns:eu-west-1:123456789012:coin-mail',
    },
    {
      names: ['NEWSLETTER_PER_MINUTE'],
      default: '`600`',
      meaning: `Newsletter emails that all instances together send per minute, 1 to 60,000. ${guide('send-news-by-mail', 'Send the newsletter')}`,
      example: '600',
    },
    {
      names: ['NEWSLETTER_DIGEST_DAY'],
      default: '`monday`',
      meaning: 'Day of the week on which the digest is sent, in English',
      example: 'monday',
    },
    {
      names: ['NEWSLETTER_DIGEST_HOUR'],
      default: '`9`',
      meaning: 'Hour at which the digest is sent, 0 to 23',
      example: '9',
    },
    {
      names: ['NEWSLETTER_TIME_ZONE'],
      default: '`UTC`',
      meaning: 'Time zone for the day and hour of the digest',
      example: 'Europe/Zurich',
    },
  ],
  'People and permissions': [
    {
      names: ['ADMIN_EMAILS'],
      default: 'none',
      meaning:
        'Members with these addresses become administrators when they set a password through their mailbox, once per address. Other administrators are emailed',
      example: 'you@coin.example',
    },
    {
      names: ['STAFF_SECOND_FACTOR'],
      default: '`required`; `optional` in a demo outside production',
      meaning: 'Whether staff need a second factor',
      example: 'required',
    },
    {
      names: ['PASSWORD_MIN_LENGTH'],
      default: '`5`',
      meaning: 'Minimum password length of members, 5 or more',
      example: '8',
    },
    {
      names: ['PROOF_OF_WORK'],
      default: '`on`',
      meaning: `\`off\` turns proof of work off. ${guide('keep-robots-out', 'Keep bots out')}`,
      example: 'on',
    },
  ],
  'Four-eyes approval': [
    {
      names: ['ORDER_TWO_PERSONS_FROM'],
      default: '`10000` if two finance members can approve',
      meaning:
        'Order size, in tokens, from which completing an order requires a second approver. Orders of unknown quantity or without a payment always do. `0` means every order, and `off` means none. Smaller orders add up ([four-eyes approval](../operate.md#four-eyes-approval))',
      example: '10000',
    },
    {
      names: ['SALE_FOUR_EYES'],
      default: '`on` if two people can approve',
      meaning:
        '`on` or `off`: whether changes to the sale settings require a second approver with `coins` 2. Closing the sale and closing or removing a payment method never do',
      example: 'on',
    },
    {
      names: ['CONTENT_TWO_PERSONS'],
      default: '`on` if two editors can approve',
      meaning:
        'Changes that require a second editor’s approval: `legal` (legal content), `links` (links, documents, addresses, emails), `legal,links` or `on` for both, or `off`',
      example: 'legal,links',
    },
    {
      names: ['KYC_FOUR_EYES'],
      default: '`on` if two reviewers can approve',
      meaning: '`on` or `off`: whether a final rejection requires a second reviewer',
      example: 'on',
    },
  ],
  'Identity verification': [
    { names: ['KYC_MIN_AGE'], default: '`18`', meaning: 'Minimum age of applicants in years', example: '18' },
    {
      names: ['KYC_VALID_DAYS'],
      default: '`730`',
      meaning:
        'Number of days until an approval expires. Members are asked to verify again 30 days earlier. With `0`, approvals never expire',
      example: '730',
    },
    {
      names: ['KYC_RETENTION_DAYS'],
      default: '`1826`',
      meaning:
        'Number of days after an approval until its documents are destroyed. The privacy notice says “five years”, so change it together with this setting',
      example: '1826',
    },
    {
      names: ['MESSAGE_ATTACHMENT_DAYS'],
      default: '`180`',
      meaning:
        'Number of days until an attachment of a message is deleted. The privacy notice says “180 days”, so change it together with this setting',
      example: '180',
    },
    {
      names: ['CONTACT_DAYS'],
      default: '`365`',
      meaning:
        'Number of days after the last message until a conversation with a visitor is deleted. The privacy notice says “one year”, so change it together with this setting',
      example: '365',
    },
    {
      names: ['SCREENING_LIST'],
      default: 'none',
      meaning: 'CSV file with a [sanctions watchlist](../operate.md#sanctions-watchlist)',
      example: '/etc/coin/watchlist.csv',
    },
    {
      names: ['SCREENING_LIST_DAYS'],
      default: '`30`',
      meaning: 'Number of days after which a watchlist counts as outdated',
      example: '30',
    },
  ],
  'Orders and payments': [
    {
      names: ['ORDER_PAY_HOURS'],
      default: '`24`',
      meaning: 'Number of hours after which an unpaid order is canceled. The member is reminded in advance',
      example: '24',
    },
    {
      names: ['ORDER_TOLERANCE_PERCENT'],
      default: '`1`',
      meaning:
        'Tolerated difference. If the amount received differs from the amount due by a higher percentage, completing the order requires a reason. If a corrected quantity differs from amount × rate by a higher percentage, it must be confirmed',
      example: '1',
    },
    {
      names: ['SALE_RATE_CHANGE_PERCENT'],
      default: '`20`',
      meaning:
        'If a rate changes by more than this, it must be typed again. Orders at a rate that is reverted within 24 hours are flagged',
      example: '20',
    },
    {
      names: ['CHAIN_<CODE>_URL'],
      default: 'none',
      meaning: `Node through which payments in a coin are monitored: \`http(s)://\` for Bitcoin Core or Ethereum, \`tcp://\` or \`ssl://\` for Electrum. ${guide('watch-payments', 'Monitor on-chain payments')}`,
      example: 'http://USER:PASS@127.0.0.1:8332',
    },
    {
      names: ['CHAIN_<CODE>_XPUB'],
      default: 'none',
      meaning:
        'Extended **public** key from which each order gets its own address. All payments go to addresses of this key',
      example: 'zpub…',
    },
    {
      names: ['CHAIN_<CODE>_KIND', 'CHAIN_<CODE>_NETWORK'],
      default: 'known for BTC and ETH; `main` or `1`',
      meaning:
        'Kind of chain (`bitcoin` or `ethereum`) and network (`main`, `test`, `signet`, or `regtest`, or a chain ID for Ethereum)',
      example: 'bitcoin',
    },
    {
      names: ['CHAIN_<CODE>_CONFIRMATIONS'],
      default: '`6`; `64` for Ethereum',
      meaning: 'Number of confirmations after which a payment is final',
      example: '6',
    },
    {
      names: ['CHAIN_<CODE>_FIRST_INDEX'],
      default: '`0`',
      meaning: 'Lowest address index to use. After a restore, set it above the last index that was used',
      example: '0',
    },
    {
      names: ['CHAIN_<CODE>_EXPLORER'],
      default: 'none',
      meaning:
        'Block explorer for a coin. The console links transactions and addresses to its `/tx/…` and `/address/…` pages. Also works for coins that aren’t monitored',
      example: 'https://explorer.example',
    },
    {
      names: ['CHAIN_COMPLETE'],
      default: '`off`',
      meaning:
        '`exact` completes orders automatically if the payment is exact, final, in time, and at the order’s own address ([conditions](../how-to/watch-payments.md#automatic-completion))',
      example: 'off',
    },
    {
      names: ['TOKEN_CHAIN'],
      default: 'none: finance records and confirms transactions',
      meaning:
        'Code of the chain whose node shows the transfers of the token, such as `ETH` for `CHAIN_ETH_URL`. Its network and confirmations apply ([guide](../how-to/pay-out-tokens.md#read-the-tokens-network))',
      example: 'ETH',
    },
    {
      names: ['TOKEN_TREASURY'],
      default: 'none; required on Ethereum chains with `TOKEN_CHAIN`',
      meaning: 'Addresses that tokens are sent from, separated by commas. For a Safe, its own address',
      example: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
    {
      names: ['TOKEN_NETWORK'],
      default: 'none; `main` for a Bitcoin-like token',
      meaning:
        'Network of the token: a chain ID if its addresses are Ethereum addresses, otherwise a name. Without the chain ID, payouts have no Safe file',
      example: '1',
    },
    {
      names: ['TOKEN_CONTRACT'],
      default: 'none: the coin of the chain itself',
      meaning: 'ERC-20 contract of the token. Only for Ethereum addresses',
      example: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
    {
      names: ['TOKEN_DECIMALS'],
      default: '`18` for Ethereum addresses, otherwise `8`',
      meaning: 'Decimal places of the token, from 8 to 18. Orders have 8',
      example: '18',
    },
    {
      names: ['TOKEN_EXPLORER'],
      default: 'the explorer in `content/brand.json`',
      meaning: 'Block explorer of the token. Deliveries link transactions to its `/tx/…` pages',
      example: 'https://explorer.example',
    },
    {
      names: ['DELIVERY_COOLING_HOURS'],
      default: '`48`',
      meaning: 'Hours during which no tokens are sent to a changed token address, from 0 to 720',
      example: '72',
    },
    {
      names: ['CHAIN_LOOK_SECONDS'],
      default: '`15`',
      meaning: 'Seconds between two scans of a chain',
      example: '15',
    },
    {
      names: ['WITHDRAWAL_DAYS'],
      default: '`0`; `14` in a demo',
      meaning: `Number of days in which members can withdraw from an order, at most 90. ${guide('let-people-withdraw', 'Let members withdraw from orders')}`,
      example: '14',
    },
    {
      names: ['WITHDRAWAL_TIME_ZONE'],
      default: '`UTC`',
      meaning: 'Time zone in which the withdrawal period ends',
      example: 'Europe/Paris',
    },
    {
      names: ['TRADED_SINCE'],
      default: 'none',
      meaning: 'First day of trading. Members can’t withdraw from orders placed on or after this day',
      example: '2036-05-01',
    },
  ],
  Ambassadors: [
    {
      names: ['AMBASSADOR_POINTS'],
      default: '`signup:0,activation:1,identity:10`',
      meaning:
        'Points that ambassadors earn for sign-ups, activations, and verified identities. A change doesn’t affect points already earned',
      example: 'signup:0,activation:1,identity:10',
    },
    {
      names: ['AMBASSADOR_DECLINED_DAYS'],
      default: '`180`',
      meaning:
        'Number of days after which declined applications and unused invitations are deleted. The privacy notice says “180 days”',
      example: '180',
    },
    {
      names: ['AMBASSADOR_UNANSWERED_DAYS'],
      default: '`365`',
      meaning:
        'Number of days after which unanswered applications are deleted. The privacy notice says “one year”',
      example: '365',
    },
  ],
  'Operation and integrations': [
    {
      names: ['LOG_LEVEL'],
      default: '`info`',
      meaning: 'Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, or `silent`',
      example: 'info',
    },
    {
      names: ['OFFLINE_PAGE'],
      default: '`on`',
      meaning:
        '`off` removes the offline page and its service worker from browsers when they next load a page. Use the same value on all instances',
      example: 'off',
    },
    {
      names: ['COUNT_READS'],
      default: '`on`',
      meaning:
        '`off` stops counting how often pages, posts, and documents are read. Counts so far are kept. Use the same value on all instances',
      example: 'off',
    },
    {
      names: ['METRICS_TOKEN'],
      default: 'no metrics',
      meaning: `Bearer token for \`/metrics\` and the details of \`/v2/ready\`. ${guide('watch-it', 'Monitor the product')}`,
    },
    {
      names: [
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'OTEL_EXPORTER_OTLP_HEADERS',
        'OTEL_SERVICE_NAME',
        'OTEL_TRACES_SAMPLER_ARG',
      ],
      default: 'no traces',
      meaning:
        'OpenTelemetry: address of the collector, its headers, service name, and share of requests that are traced',
      example: 'http://127.0.0.1:4318',
    },
    {
      names: ['WEBHOOK_PRIVATE_HOSTS'],
      default: 'none',
      meaning: `Hosts in your own network that webhooks may call, separated by commas. ${guide('receive-webhooks', 'Receive webhooks')}`,
      example: 'erp.internal',
    },
    {
      names: ['DEMO'],
      default: '`on` if nothing is configured outside production',
      meaning:
        '`on` adds sample posts and a sample sale. Outside production with a local `PUBLIC_URL`, it also adds sample accounts and [demo data](../operate.md#a-demo)',
      example: 'on',
    },
    {
      names: ['DEMO_WORLD'],
      default: '`on`',
      meaning: '`off` starts a demo without members, orders, and other demo data',
      example: 'off',
    },
  ],
}

const settings = Object.values(settingAreas).flat()

/** A valid value for a setting, by its name in the environment; undefined if none would help. */
export function exampleOf(name: string): string | undefined {
  const general = name.replace(
    /^CHAIN_[A-Z0-9_]+?_(?=(?:URL|XPUB|KIND|NETWORK|CONFIRMATIONS|FIRST_INDEX|EXPLORER)$)/,
    'CHAIN_<CODE>_',
  )
  return settings.find(({ names }) => names.includes(general))?.example
}
