import type { Editor } from '@tiptap/core'
import { useState, type KeyboardEvent } from 'react'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { indentMax, type TextStyleName, textStyles } from './formats.ts'
import styles from './editor.module.css'

export type PanelName = 'link' | 'picture' | 'film'

type Tool = {
  glyph: GlyphName
  label: PlainKey
  /** Keyboard shortcut as shown to the reader. */
  keys?: string
  isOn?: boolean
  isOff?: boolean
  act: () => void
}

function formatTools(editor: Editor): Tool[] {
  const mark = (name: string, glyph: GlyphName, label: PlainKey, keys: string): Tool => ({
    glyph,
    label,
    keys,
    isOn: editor.isActive(name),
    act: () => void editor.chain().focus().toggleMark(name).run(),
  })
  return [
    mark('bold', 'bold', 'editor.bold', 'Ctrl+B'),
    mark('italic', 'italic', 'editor.italic', 'Ctrl+I'),
    mark('underline', 'underline', 'editor.underline', 'Ctrl+U'),
    mark('strike', 'strike', 'editor.strike', 'Ctrl+Shift+S'),
    mark('code', 'code', 'editor.code', 'Ctrl+E'),
    mark('subscript', 'subscript', 'editor.subscript', 'Ctrl+,'),
    mark('superscript', 'superscript', 'editor.superscript', 'Ctrl+.'),
  ]
}

/** The headings and the plain paragraph. */
type BlockKind = 'paragraph' | '1' | '2' | '3' | '4' | '5' | '6'

const blockKindOf = (editor: Editor): BlockKind =>
  editor.isActive('heading') ? (String(editor.getAttributes('heading')['level']) as BlockKind) : 'paragraph'

function setBlockKind(editor: Editor, kind: BlockKind): void {
  const chain = editor.chain().focus()
  if (kind === 'paragraph') chain.setParagraph().run()
  else chain.setHeading({ level: Number(kind) as 1 | 2 | 3 | 4 | 5 | 6 }).run()
}

const textStyleOf = (editor: Editor, styleName: TextStyleName): string => {
  const value: unknown = editor.getAttributes('textLook')[styleName]
  return typeof value === 'string' ? value : ''
}

/** Keeps other formatting of the text. */
function setTextStyle(editor: Editor, styleName: TextStyleName, value: string): void {
  const others = Object.keys(textStyles).filter((each) => each !== styleName) as TextStyleName[]
  const attributes = {
    ...Object.fromEntries(others.map((each) => [each, textStyleOf(editor, each) || null])),
    [styleName]: value || null,
  }
  const chain = editor.chain().focus()
  if (Object.values(attributes).every((each) => each === null)) chain.unsetMark('textLook').run()
  else chain.setMark('textLook', attributes).run()
}

const blockAttribute = (editor: Editor, name: string): unknown =>
  editor.state.selection.$from.parent.attrs[name]

function setBlock(editor: Editor, name: string, value: string | null): void {
  editor
    .chain()
    .focus()
    .command(({ tr, state }) => {
      const { from, to } = state.selection
      state.doc.nodesBetween(from, to, (node, at) => {
        if (node.isTextblock && name in node.attrs) tr.setNodeAttribute(at, name, value)
      })
      return true
    })
    .run()
}

const alignmentOf = (editor: Editor): string => {
  const value = blockAttribute(editor, 'align')
  return typeof value === 'string' ? value : ''
}
const setAlignment = (editor: Editor, value: string): void => setBlock(editor, 'align', value || null)

const isRightToLeft = (editor: Editor): boolean => blockAttribute(editor, 'dir') === 'rtl'
const toggleDirection = (editor: Editor): void =>
  setBlock(editor, 'dir', isRightToLeft(editor) ? null : 'rtl')

/** In a list, changes the nesting level; elsewhere, the indent. */
function indent(editor: Editor, by: 1 | -1): void {
  if (editor.isActive('listItem')) {
    const chain = editor.chain().focus()
    if (by === 1) chain.sinkListItem('listItem').run()
    else chain.liftListItem('listItem').run()
    return
  }
  const level = Math.min(indentMax, Math.max(0, Number(blockAttribute(editor, 'indent') ?? 0) + by))
  setBlock(editor, 'indent', level === 0 ? null : String(level))
}

const clearFormats = (editor: Editor): void => {
  editor
    .chain()
    .focus()
    .unsetAllMarks()
    .setParagraph()
    .command(({ tr }) => {
      tr.setStoredMarks([])
      return true
    })
    .run()
  for (const name of ['align', 'indent', 'dir']) setBlock(editor, name, null)
}

function blockTools(editor: Editor): Tool[] {
  const run = () => editor.chain().focus()
  return [
    {
      glyph: 'quote',
      label: 'editor.quote',
      keys: 'Ctrl+Shift+B',
      isOn: editor.isActive('blockquote'),
      act: () => void run().toggleBlockquote().run(),
    },
    {
      glyph: 'codeBlock',
      label: 'editor.codeBlock',
      keys: 'Ctrl+Alt+C',
      isOn: editor.isActive('codeBlock'),
      act: () => void run().toggleCodeBlock().run(),
    },
    {
      glyph: 'bullets',
      label: 'editor.bullets',
      keys: 'Ctrl+Shift+8',
      isOn: editor.isActive('bulletList'),
      act: () => void run().toggleBulletList().run(),
    },
    {
      glyph: 'numbers',
      label: 'editor.numbers',
      keys: 'Ctrl+Shift+7',
      isOn: editor.isActive('orderedList'),
      act: () => void run().toggleOrderedList().run(),
    },
    { glyph: 'outdent', label: 'editor.outdent', act: () => indent(editor, -1) },
    { glyph: 'indent', label: 'editor.indent', act: () => indent(editor, 1) },
    {
      glyph: 'rightToLeft',
      label: 'editor.rightToLeft',
      isOn: isRightToLeft(editor),
      act: () => toggleDirection(editor),
    },
  ]
}

function panelTools({ editor, panel, onPanel }: Props): Tool[] {
  const opens = (name: PanelName, label: PlainKey, isOn = false): Tool => ({
    glyph: name,
    label,
    isOn: panel === name || isOn,
    act: () => onPanel(panel === name ? null : name),
  })
  return [
    opens('link', 'editor.link', editor.isActive('link')),
    opens('picture', 'editor.picture'),
    opens('film', 'editor.film'),
  ]
}

function historyTools(editor: Editor): Tool[] {
  return [
    { glyph: 'clear', label: 'editor.clear', act: () => clearFormats(editor) },
    {
      glyph: 'undo',
      label: 'editor.undo',
      keys: 'Ctrl+Z',
      isOff: !editor.can().undo(),
      act: () => void editor.chain().focus().undo().run(),
    },
    {
      glyph: 'redo',
      label: 'editor.redo',
      keys: 'Ctrl+Shift+Z',
      isOff: !editor.can().redo(),
      act: () => void editor.chain().focus().redo().run(),
    },
  ]
}

type Choice = {
  label: PlainKey
  value: string
  options: readonly (readonly [value: string, words: string])[]
  choose: (value: string) => void
}

/** The kind of block, the styles of the text, and its alignment. */
const choicesFor = (editor: Editor, t: UsedMessages['t']): Choice[] => [
  {
    label: 'editor.block',
    value: blockKindOf(editor),
    options: blockLabels.map(([value, words]) => [value, t(words)]),
    choose: (value) => setBlockKind(editor, value as BlockKind),
  },
  ...(Object.keys(textStyles) as TextStyleName[]).map((styleName): Choice => ({
    label: textStyleLabels[styleName],
    value: textStyleOf(editor, styleName),
    options: [
      ['', t('editor.usual')],
      ...textStyles[styleName].map((each) => [each, t(valueLabels[each])] as const),
    ],
    choose: (value) => setTextStyle(editor, styleName, value),
  })),
  {
    label: 'editor.align',
    value: alignmentOf(editor),
    options: alignmentLabels.map(([value, words]) => [value, t(words)]),
    choose: (value) => setAlignment(editor, value),
  },
]

/** Makes the toolbar a single tab stop; arrow keys, Home and End move within it (WAI-ARIA toolbar). */
function useToolbarKeys() {
  const [at, setAt] = useState(0)
  return {
    move: (event: KeyboardEvent<HTMLElement>) => {
      const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button, select')]
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -items.length, End: items.length }[event.key]
      if (step === undefined) return
      event.preventDefault()
      const next =
        Math.abs(step) === 1 ? (at + step + items.length) % items.length : step < 0 ? 0 : items.length - 1
      setAt(next)
      items[next]?.focus()
    },
    stop: (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) }),
  }
}

type Props = {
  editor: Editor
  controls: string
  panel: PanelName | null
  onPanel: (panel: PanelName | null) => void
}

export function Toolbar(props: Props) {
  const { editor, controls } = props
  const { t, nameValue, addNote } = useMessages()
  const { move, stop } = useToolbarKeys()
  const choices = choicesFor(editor, t)
  const tools = [...formatTools(editor), ...blockTools(editor), ...panelTools(props), ...historyTools(editor)]
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its buttons has the focus (WAI-ARIA toolbar)
    <div
      className={styles.toolbar}
      role="toolbar"
      aria-label={t('editor.toolbar')}
      aria-controls={controls}
      onKeyDown={move}
    >
      {choices.map(({ label, value, options, choose }, index) => (
        <select
          key={label}
          {...stop(index)}
          aria-label={t(label)}
          title={t(label)}
          value={value}
          onChange={(event) => choose(event.target.value)}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each}>
              {each === '' ? nameValue(t(label), words) : words}
            </option>
          ))}
        </select>
      ))}
      {tools.map(({ glyph, label, keys, isOn, isOff, act }, index) => (
        <button
          key={glyph}
          type="button"
          {...stop(choices.length + index)}
          aria-label={t(label)}
          title={keys ? addNote(t(label), keys) : t(label)}
          aria-pressed={isOn}
          aria-disabled={isOff || undefined}
          // Keeps the selection in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => !isOff && act()}
        >
          <Glyph name={glyph} />
        </button>
      ))}
    </div>
  )
}

/** Strokes on a grid of 20 by 20. */
const strokes = {
  bold: 'M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z',
  italic: 'M9 4h6M5 16h6M12 4 8 16',
  underline: 'M5 4v6a5 5 0 0 0 10 0V4M4 17h12',
  strike: 'M14 6c-.6-1.3-2-2-4-2-2.4 0-4 1.1-4 2.8M3 10h14M6 14c.6 1.3 2 2 4 2 2.4 0 4-1.1 4-2.8',
  code: 'm7 6-4 4 4 4m6-8 4 4-4 4',
  subscript: 'M3 4l8 10M11 4 3 14m11.5 0c2-1.5 3 .5 1.5 2l-1.5 1.5H17',
  superscript: 'M3 6l8 10M11 6 3 16m11.5-12c2-1.5 3 .5 1.5 2L14.5 7.5H17',
  quote: 'M4 14c3-1 4-3 4-7H4v4h3m5 3c3-1 4-3 4-7h-4v4h3',
  codeBlock: 'M3 4h14v12H3zM8 8l-2 2 2 2m4-4 2 2-2 2',
  bullets: 'M8 5h9M8 10h9M8 15h9M3.5 5h.5m-.5 5h.5m-.5 5h.5',
  numbers: 'M8 5h9M8 10h9M8 15h9M3 4l1-.5V7m-1.2 3c1.5-1 2.2.3 1.4 1.3L3 13h2',
  outdent: 'M3 4h14M10 8h7M10 12h7M3 16h14M7 7l-3 3 3 3',
  indent: 'M3 4h14M10 8h7M10 12h7M3 16h14M4 7l3 3-3 3',
  rightToLeft: 'M11 4v9m3-9v9M15 4H9a3 3 0 0 0 0 6h2M16 16H4m2-2-2 2 2 2',
  link: 'm8 12 4-4M9 6l2-2a3.5 3.5 0 0 1 5 5l-2 2m-3 3-2 2a3.5 3.5 0 0 1-5-5l2-2',
  picture: 'M3 4h14v12H3zm0 9 4-4 4 4 2-2 4 4M13 7.5h.5',
  film: 'M3 4h14v12H3zm5.5 3.5v5l4-2.5z',
  clear: 'M5 4h10M10 4 8 12m-4 5 12-12m-3 8 4 4m0-4-4 4',
  undo: 'M7 5 3 9l4 4M3 9h8a4.5 4.5 0 0 1 0 9H8',
  redo: 'm13 5 4 4-4 4m4-4H9a4.5 4.5 0 0 0 0 9h3',
} as const

type GlyphName = keyof typeof strokes

const Glyph = ({ name }: { name: GlyphName }) => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d={strokes[name]} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
  </svg>
)

const blockLabels: readonly (readonly [BlockKind, PlainKey])[] = [
  ['paragraph', 'editor.block.paragraph'],
  ['1', 'editor.block.1'],
  ['2', 'editor.block.2'],
  ['3', 'editor.block.3'],
  ['4', 'editor.block.4'],
  ['5', 'editor.block.5'],
  ['6', 'editor.block.6'],
]

const textStyleLabels: Record<TextStyleName, PlainKey> = {
  size: 'editor.size',
  font: 'editor.font',
  color: 'editor.color',
  bg: 'editor.background',
}

const valueLabels: Record<(typeof textStyles)[TextStyleName][number], PlainKey> = {
  small: 'editor.size.small',
  large: 'editor.size.large',
  huge: 'editor.size.huge',
  serif: 'editor.font.serif',
  monospace: 'editor.font.monospace',
  copper: 'editor.color.copper',
  verdigris: 'editor.color.verdigris',
  red: 'editor.color.red',
  yellow: 'editor.color.yellow',
  green: 'editor.color.green',
  quiet: 'editor.color.quiet',
}

const alignmentLabels: readonly (readonly [string, PlainKey])[] = [
  ['', 'editor.align.start'],
  ['center', 'editor.align.center'],
  ['right', 'editor.align.right'],
  ['justify', 'editor.align.justify'],
]
