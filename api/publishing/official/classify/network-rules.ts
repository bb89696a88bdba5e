/** How a network writes account addresses. An address that fits no rule is not an account. */
export type AccountRule = {
  hosts: string
  /** Allowed subdomains; defaults to `www` and `m`. */
  before?: RegExp
  /** First path segments that precede a name, each with the kind of name. */
  spaces?: Readonly<Record<string, string>>
  /** Those segments after which a number follows the name and identifies the account. */
  numbered?: string
  /** Kind of an `@name` as first segment. */
  at?: string
  /** Kind of a bare name as first segment; if missing, there is none. */
  bare?: string
  /** Kind of a name that consists only of digits. */
  numbersAre?: string
  /** First segments reserved by this network, in addition to those reserved everywhere. */
  reserved?: string
  /** Host where the first segment is an invite code, and the kind of such codes. */
  codesAt?: string
  codeSpace?: string
  deep?: { first: string; spaces: Readonly<Record<string, string>> }
  /** What may follow a name and still belong to the account. */
  tails?: RegExp
}

export const accountRules: Readonly<Record<string, AccountRule>> = {
  x: {
    hosts: 'x.com twitter.com',
    before: /^(?:www|m|mobile)$/,
    at: '',
    bare: '',
    // The name before `status` is ignored: the post may be anyone's.
    tails: /^(?:with_replies|media|likes|highlights|articles)$/,
  },
  telegram: {
    hosts: 't.me telegram.me telegram.dog',
    before: /^www$/,
    spaces: { s: '', joinchat: 'code' },
    codeSpace: 'code',
    at: '',
    bare: '',
    reserved:
      'resolve addlist addstickers addemoji addtheme proxy socks setlanguage bg invoice confirmphone boost giftcode nft iv k a m msg',
    tails: /^\d+(?:\/\d+)?$/,
  },
  github: {
    hosts: 'github.com',
    before: /^www$/,
    spaces: { orgs: '' },
    bare: '',
    reserved:
      'features join sponsors organizations stars pulls issues collections enterprise site codespaces copilot gist readme raw discussions customer-stories solutions',
    // A commit of someone's fork is shown by its hash as if it were ours, and so are files that anyone attached.
    tails: /^[\w.-]+(?:\/(?:releases(?:\/.*)?|(?:tree|blob)\/(?:main|master)(?:\/.*)?))?$/,
  },
  youtube: {
    hosts: 'youtube.com',
    before: /^(?:www|m|music)$/,
    spaces: { channel: 'channel', c: 'c', user: 'user' },
    at: '',
    bare: 'c',
    reserved: 'attribution_link oembed premium e',
    tails: /^(?:videos|shorts|streams|live|playlists|community|about|featured|posts|releases)$/,
  },
  linkedin: {
    hosts: 'linkedin.com',
    before: /^(?:www|m|[a-z]{2})$/,
    spaces: {
      company: 'company',
      school: 'school',
      showcase: 'showcase',
      in: 'in',
      pub: 'pub',
      groups: 'groups',
    },
    tails: /^(?:about|posts|jobs|people|life|videos|events)$/,
  },
  weibo: {
    hosts: 'weibo.com weibo.cn',
    spaces: { n: 'n', u: 'u', p: 'p', profile: 'u' },
    bare: '',
    numbersAre: 'u',
    reserved: 'hot detail sorry ttarticle newlogin ajax a',
    tails: /^(?:home|profile)$/,
  },
  facebook: {
    hosts: 'facebook.com fb.com m.me',
    before: /^(?:www|m|web|mbasic|touch|[a-z]{2}-[a-z]{2})$/,
    spaces: { groups: 'groups', people: 'people', pages: 'pages', p: 'p' },
    numbered: 'people pages',
    bare: '',
    reserved: 'photo photos public notes permalink sharer',
    tails: /^(?:about|photos|videos|events|reviews|mentions|followers|members)$/,
  },
  instagram: {
    hosts: 'instagram.com instagr.am',
    bare: '',
    reserved: 'direct developer challenge',
    tails: /^(?:reels|tagged|channel|followers)$/,
  },
  threads: { hosts: 'threads.net threads.com', at: '', tails: /^(?:replies|reposts|media)$/ },
  reddit: {
    hosts: 'reddit.com',
    before: /^(?:www|m|old|new|np|i)$/,
    spaces: { u: '', user: '', r: 'r' },
    tails: /^(?:about|wiki|new|hot|top|rising|submitted|comments)$/,
  },
  tiktok: { hosts: 'tiktok.com', at: '', tails: /^live$/ },
  medium: {
    hosts: 'medium.com',
    before: /^www$/,
    at: '',
    bare: 'pub',
    reserved: 'm policy membership creators plans new-story',
    tails: /^(?:about|followers|latest|lists)$/,
  },
  discord: {
    hosts: 'discord.gg discord.com discordapp.com',
    before: /^(?:www|ptb|canary)$/,
    spaces: { invite: '', users: 'users', servers: 'servers' },
    codesAt: 'discord.gg',
    codeSpace: '',
  },
  bilibili: { hosts: 'bilibili.com', spaces: { space: 'space' } },
  bluesky: { hosts: 'bsky.app', spaces: { profile: '' } },
  mastodon: {
    hosts: 'mastodon.social',
    spaces: { users: '' },
    at: '',
    tails: /^(?:with_replies|media|following|followers)$/,
  },
  line: { hosts: 'line.me', deep: { first: 'r', spaces: { p: '', g: 'g', g2: 'g2' } } },
  twitch: {
    hosts: 'twitch.tv',
    bare: '',
    reserved: 'popout moderator turbo drops wallet products prime collections',
    tails: /^(?:videos|schedule|about|clips|home)$/,
  },
}
