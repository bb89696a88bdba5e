import colours from '#content/colours.json' with { type: 'json' }

/** `frame`: for a frame of the console, whose policy forbids inline styles, and where links are disabled. */
export type Look = 'mail' | 'frame'

type Ground = 'light' | 'dark'
type Colour = Exclude<keyof typeof colours, 'icon' | 'documents'>

const inkOf = (name: Colour, ground: Ground = 'light') => colours[name][ground]

/** Fonts of the reader's system, because an email loads nothing. They are named in the order of the site's fonts. */
const sans =
  "font-family:'Source Sans 3',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'PingFang SC','Noto Sans SC','Microsoft YaHei',sans-serif"
const serif =
  "font-family:Newsreader,Charter,Cambria,Georgia,'Songti SC','Noto Serif SC',SimSun,serif;font-weight:400"
const mono = "font-family:'JetBrains Mono','SF Mono',Menlo,Consolas,monospace"
const wraps = 'overflow-wrap:anywhere;word-break:break-word'
const panel = `margin:0 0 16px;padding:12px 16px;border-left:3px solid ${inkOf('line')};background:${inkOf('ground')}`

/** The parts of an email in light mode. The styles are inline, because many email clients ignore style sheets. */
const styles = {
  ground: `width:100%;background:${inkOf('ground')}`,
  around: 'padding:24px 12px 32px',
  page: 'width:100%;max-width:600px;margin:0 auto;table-layout:fixed',
  brand: `padding:0 4px 16px;${serif};font-size:24px;line-height:32px;color:${inkOf('text')};text-align:left`,
  logo: 'display:inline-block;vertical-align:middle;margin:0 10px 4px 0;border:0',
  card: `padding:32px 40px 28px;border:1px solid ${inkOf('line')};border-top:3px solid ${inkOf('copper')};background:${inkOf('groundRaised')};color:${inkOf('text')};${sans};font-size:16px;line-height:1.6;text-align:left;${wraps}`,
  proof: `margin:0 0 24px;padding:10px 14px;border-left:3px solid ${inkOf('verdigris')};background:${inkOf('ground')}`,
  title: `margin:0 0 20px;${serif};font-size:28px;line-height:1.25;text-wrap:balance`,
  reference: 'white-space:nowrap',
  paragraph: 'margin:0 0 16px',
  quiet: `margin:0 0 16px;color:${inkOf('textQuiet')};font-size:14px;line-height:1.5`,
  code: `${panel};${mono};font-size:22px;line-height:1.4;letter-spacing:1px;word-break:break-all`,
  panel,
  facts: 'width:100%;margin:0 0 20px;table-layout:fixed',
  fact: `padding:10px 0;border-top:1px solid ${inkOf('line')};${sans};font-size:16px;line-height:1.5;${wraps}`,
  label: `color:${inkOf('textQuiet')};font-size:14px`,
  exact: `${mono};font-size:15px;word-break:break-all`,
  action: 'margin:24px 0 28px',
  press: `border-radius:3px;background:${inkOf('copper')};mso-padding-alt:14px 26px`,
  button: `display:inline-block;padding:13px 26px;border-radius:3px;background:${inkOf('copper')};color:${inkOf('onCopper')};${sans};font-size:16px;font-weight:600;line-height:22px;text-decoration:none`,
  footer: `padding:20px 4px 0;color:${inkOf('textQuiet')};${sans};font-size:14px;line-height:1.55;text-align:left;${wraps}`,
  // Posts and lists of posts.
  heading: `margin:28px 0 8px;${serif};font-size:22px;line-height:1.3`,
  subheading: `margin:24px 0 8px;${serif};font-size:19px;line-height:1.3`,
  list: 'margin:0 0 16px;padding-left:24px',
  item: 'margin:0 0 6px',
  quotation: `margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid ${inkOf('line')}`,
  listing: `margin:0 0 16px;white-space:pre-wrap;${mono};font-size:14px;line-height:1.5`,
  picture: 'display:block;max-width:100%;height:auto;border:0',
  entry: `width:100%;margin:0 0 8px;border-top:1px solid ${inkOf('line')};table-layout:fixed`,
  within: `padding:20px 0 4px;${sans};font-size:16px;line-height:1.6;${wraps}`,
  cover: 'display:block;width:100%;max-width:100%;height:auto;margin:0 0 14px;border:0',
  headline: `margin:0 0 4px;${serif};font-size:22px;line-height:1.3`,
  link: `color:${inkOf('copper')}`,
}

export type Part = keyof typeof styles

/** The attributes of a part. The class is for dark mode, and for the style sheet of the console's frame. */
export const dress = (part: Part, look: Look): string =>
  look === 'mail' ? ` class="${part}" style="${styles[part]}"` : ` class="${part}"`

/** A layout table, because Outlook supports width and padding only for tables. */
export const arrange = (part: Part, look: Look, cells: string, more = ''): string =>
  `<table role="presentation"${look === 'mail' ? ' width="100%" cellpadding="0" cellspacing="0" border="0"' : ''}${more}${dress(part, look)}>${cells}</table>`

/** The dark mode colors of the parts that have a color of their own. */
const onDark: readonly {
  parts: readonly Part[]
  property: 'background' | 'border-color' | 'border-top-color' | 'color'
  ink: Colour
}[] = [
  { parts: ['ground', 'code', 'panel', 'proof'], property: 'background', ink: 'ground' },
  { parts: ['card'], property: 'background', ink: 'groundRaised' },
  { parts: ['press', 'button'], property: 'background', ink: 'copper' },
  { parts: ['brand', 'card'], property: 'color', ink: 'text' },
  { parts: ['footer', 'label', 'quiet'], property: 'color', ink: 'textQuiet' },
  { parts: ['link'], property: 'color', ink: 'copper' },
  { parts: ['button'], property: 'color', ink: 'onCopper' },
  { parts: ['card', 'code', 'entry', 'fact', 'panel', 'quotation'], property: 'border-color', ink: 'line' },
  { parts: ['card'], property: 'border-top-color', ink: 'copper' },
]

const darkRules = (scopeOf: (property: string) => string): string =>
  onDark
    .map(({ parts, property, ink }) => {
      const chosen = parts.map((part) => `${scopeOf(property)}.${part}`).join()
      return `${chosen}{${property}:${inkOf(ink, 'dark')}!important}`
    })
    .join('')

/** Outlook's own apps and web page mark what they have darkened with attributes instead of a media query. */
const outlookScope = (property: string) => (property === 'color' ? '[data-ogsc] ' : '[data-ogsb] ')

/**
 * The style sheets of an email. Each is a separate element, because a client that does not understand a rule drops the
 * whole element.
 */
export const styleSheets = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}body{margin:0;padding:0}',
  '@media (max-width:480px){.around{padding:16px 8px 24px!important}.card{padding:24px 20px 20px!important}.title{font-size:24px!important}}',
  `@media (prefers-color-scheme:dark){body{background:${inkOf('ground', 'dark')}!important}${darkRules(() => '')}}`,
  darkRules(outlookScope),
]
  .map((rules) => `<style>${rules}</style>`)
  .join('')

/** Without these styles, Outlook uses Times for everything, because it tries only the first font. */
export const outlookStyles =
  "<!--[if mso]><style>body,table,td,p,a,span{font-family:'Segoe UI','Microsoft YaHei',Arial,sans-serif!important}h1,h2,h3{font-family:Cambria,SimSun,serif!important}</style><![endif]-->"

/** The background color behind the table. */
export const bodyGround = inkOf('ground')
