import type { Editor } from '@tiptap/core'
import { indentMax, textStyles, type TextStyleName } from './formats.ts'

/** The headings and the plain paragraph. */
export type BlockKind = 'paragraph' | '1' | '2' | '3' | '4' | '5' | '6'

export const blockKindOf = (editor: Editor): BlockKind =>
  editor.isActive('heading') ? (String(editor.getAttributes('heading')['level']) as BlockKind) : 'paragraph'

export function setBlockKind(editor: Editor, kind: BlockKind): void {
  const chain = editor.chain().focus()
  if (kind === 'paragraph') chain.setParagraph().run()
  else chain.setHeading({ level: Number(kind) as 1 | 2 | 3 | 4 | 5 | 6 }).run()
}

export const textStyleOf = (editor: Editor, styleName: TextStyleName): string => {
  const value: unknown = editor.getAttributes('textLook')[styleName]
  return typeof value === 'string' ? value : ''
}

/** Keeps other formatting of the text. */
export function setTextStyle(editor: Editor, styleName: TextStyleName, value: string): void {
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

export const alignmentOf = (editor: Editor): string => {
  const value = blockAttribute(editor, 'align')
  return typeof value === 'string' ? value : ''
}
export const setAlignment = (editor: Editor, value: string): void => setBlock(editor, 'align', value || null)

export const isRightToLeft = (editor: Editor): boolean => blockAttribute(editor, 'dir') === 'rtl'
export const toggleDirection = (editor: Editor): void =>
  setBlock(editor, 'dir', isRightToLeft(editor) ? null : 'rtl')

/** In a list, changes the nesting level; elsewhere, the indent. */
export function indent(editor: Editor, by: 1 | -1): void {
  if (editor.isActive('listItem')) {
    const chain = editor.chain().focus()
    if (by === 1) chain.sinkListItem('listItem').run()
    else chain.liftListItem('listItem').run()
    return
  }
  const level = Math.min(indentMax, Math.max(0, Number(blockAttribute(editor, 'indent') ?? 0) + by))
  setBlock(editor, 'indent', level === 0 ? null : String(level))
}

export const clearFormats = (editor: Editor): void => {
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
